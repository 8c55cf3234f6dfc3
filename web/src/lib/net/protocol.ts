// Written by tools/protocol.py from the server's messages: `make generate`.

export type ClientMessage =
  | Join
  | Sit
  | Stand
  | SeatBot
  | Start
  | Seed
  | Pick
  | Play
  | Say
  | Undo
  | Ask
  | Hint
  | Next
  | Vote
  | Resign
  | Chat
  | Feel
  | Look
  | Ping;

export type ServerMessage =
  | Sync
  | Update
  | Refused
  | Answer
  | ChatLine
  | EmoteShown
  | Pong
  | Bye;

/** The answer to an `ask`. */
export interface Answer {
  type: 'answer';
  re: string;
  /** Possible plays, best first. */
  options?: SuggestedPlay[];
  /** About the `turn`: the hand in groups. */
  groups?: CardGroup[];
  /** The reason why there are no plays. */
  reason?: Reason | null;
  /** About the `turn`, if it is this seat's: the reasons why plays are not legal, by name as in `you.may`, or by card if only that card may not be discarded. About `cards`: the reasons why they make no `meld` or no `lay`. */
  refused?: Record<string, Reason>;
  /** About the `position`: the seat's view as a position file. */
  position?: string;
  /** About the `position`: the codes of all plays of the deal as everybody saw them. The first is a discard of the upcard. */
  past?: string[];
  /** About the `position`: the codes of all legal plays. */
  legal?: string[];
  /** About the `position`: the number of the decision that these plays answer. */
  asked?: number;
  /** About the `hint`: what it says. */
  hint?: HintInfo | null;
}

/** Ask for advice from the rules; this changes nothing at the table. */
export interface Ask {
  type: 'ask';
  /** `turn`: suggested plays, the hand in groups, and the reasons why other plays are not legal; `cards`: possible plays with these cards of the hand, or the reason why there is none; `take`: the result of taking `count` cards, or the reason why that is not legal; `position`: everything that this seat may know, for a bot; `hint`: a hint that was noted for this decision by a `hint` message, or one less deep. */
  about: 'cards' | 'hint' | 'position' | 'take' | 'turn';
  /** About `cards`: the cards of the hand. */
  cards?: string[];
  /** About a `take`: the number of cards from the pile. */
  count?: number;
  /** About the `hint`: how much it is to say. */
  depth?: 'numbers' | 'possible' | 'reason';
  id: string;
}

/** What a seat could know about the other hands before a step, by the cards and by all plays till then. */
export interface Belief {
  step: number;
  frame: number;
  /** The seat that looks. */
  seat: number;
  /** The cards of the pack, each once, by suit and rank; jokers last. */
  cards: string[];
  /** How many of each there are. */
  copies: number[];
  /** The copies that the seat sees elsewhere: in its own hand, in the pile, and in melds. */
  elsewhere: number[];
  /** The other seats' hands. */
  hands: BeliefHand[];
}

/** What a seat could believe about another one's hand. Lists have an entry for each of `Belief.cards`. */
export interface BeliefHand {
  seat: number;
  /** The number of cards in the hand. */
  size: number;
  /** The expected number of copies of each card in the hand. */
  expected: number[];
  /** The copies that all know to be there. */
  known: number[];
  /** The copies that it really held. */
  held: number[];
}

/**
 * The token of an external bot, which connects to this table with `Authorization: Bearer TOKEN`.
 *
 * The server sends it only once. Anyone who has it can play the seat, until it is revoked or another one is
 * made.
 */
export interface BotToken {
  seat: number;
  token: string;
}

/** A browser's subscription to messages: what its Push API returned, and when they are wanted. */
export interface Browser {
  /** The address at the browser's push service. */
  endpoint: string;
  /** The public key of the subscription, in base64url. */
  p256dh: string;
  /** The secret of the subscription, in base64url. */
  auth: string;
  /** The language of the messages. */
  language: string;
  /** The name of the browser's time zone, such as `Europe/Berlin`. */
  zone: string;
  /** The minute of the day, in this time zone, from which nothing is sent; null: no quiet hours. */
  quiet_from?: number | null;
  /** The minute of the day at which the quiet hours end. What was due in them is sent then. */
  quiet_to?: number | null;
}

/** The address of a browser at its push service. */
export interface BrowserEndpoint {
  endpoint: string;
}

/** The last message before the server closes this connection. */
export interface Bye {
  type: 'bye';
  /** `restart`: the server stops, connect again soon; `elsewhere`: the guest has joined with another connection; `slow`: too much was unread; `revoked`: the bot's token is no longer valid; `signed_out`: the guest has signed out on all devices but one, which may connect again. */
  reason: 'elsewhere' | 'restart' | 'revoked' | 'signed_out' | 'slow';
}

/** Cards of the hand that belong together. */
export interface CardGroup {
  cards: string[];
  /** A possible meld (`run`, `set` or `jokers`), a possible lay-off, or the rest of the hand. */
  kind: 'jokers' | 'lay' | 'rest' | 'run' | 'set';
  /** The points of the cards. */
  points: number;
}

/** Send a line of chat to the table. */
export interface Chat {
  type: 'chat';
  text: string;
  id: string;
}

/** A line of chat. */
export interface ChatLine {
  type: 'chat';
  /** The sender's seat; None for a spectator. */
  seat: number | null;
  name: string;
  text: string;
}

/** An opportunity to call "Rummy!". */
export interface ClaimWindow {
  /** The seats that may call and have not let it go. */
  seats: number[];
  /** The time that is left. */
  left_ms: number;
  /** The time at the beginning, in milliseconds. */
  total_ms: number;
  /** The numbers of cards of the pile that may be called for; all of them where nobody is told. */
  counts: number[];
}

/** The clock of the seat that has to decide: its time for this turn is used first, then its bank. */
export interface Clock {
  seat: number;
  /** The time that is left for the turn. */
  turn_ms: number;
  /** The time that is left in the bank. */
  bank_ms: number;
  running: boolean;
}

/** A finished deal at one seat: how many points does it score? */
export interface CountQuestion {
  seat: number;
  /** What the seat laid and holds, without points; a bonus has its points. For `collected`, the cards are those left in the other hands. */
  lines: ScoreSheetLine[];
}

/** Where the points of a deal came from. */
export interface DealAccountInfo {
  /** By seat. */
  seats: SeatAccount[];
  /** The cards drawn from the stock, in order. */
  draws: ReviewDraw[];
  /** By seat, the index in `draws` of its luckiest draw; None without draws. */
  luckiest: (number | null)[];
  unluckiest: (number | null)[];
  /** The course of the deal: as dealt, after each draw, after plays that change what can be expected, and at the end. */
  course: ReviewPoint[];
}

/** The result of a finished deal. */
export interface DealResult {
  /** The number of the deal. */
  number: number;
  /** The dealer's seat. */
  dealer: number;
  /** The reason why the deal ended: `out`, `stock`, `passes`, `no_progress` or `target`. */
  reason: string;
  /** The seat that went out or reached the target; None if no seat did. */
  out: number | null;
  /** The points of the deal, by seat. */
  points: number[];
  /** The points of the deal, by account. */
  accounts: number[];
  /** The points of the match so far, by account. */
  totals: number[];
  /** The names of the players, by seat. */
  names: string[];
}

/** The review of a finished deal, as far as it is ready. */
export interface DealReview {
  table: string;
  /** The seat of the guest who asks; None for others. */
  you: number | null;
  /** None until the account is done. */
  judge: ReviewJudge | null;
  state: DealReviewInfo;
  others: 'opponent' | 'others' | 'side';
  /** The names of the players, by seat. */
  names: string[];
  /** None until it is done. */
  account: DealAccountInfo | null;
  /** The verdicts after the first `after` ones, in the order in which they were found. */
  verdicts: ReviewVerdict[];
  /** The number of verdicts before these: `after`, or 0 if the server has fewer and sends all again. */
  since: number;
  /** What to send as `after` next time. */
  next: number;
}

/** How far the review of one deal is. */
export interface DealReviewInfo {
  deal: number;
  /** The player at each seat, as in `MatchEnd`; empty until the account is done. */
  players: number[];
  account: 'done' | 'failed' | 'running' | 'unavailable' | 'waiting';
  /** `none`: not asked for. */
  marks: 'done' | 'failed' | 'none' | 'running' | 'unavailable' | 'waiting';
  /** The number of decisions that are judged. */
  judged: number;
  /** The number of decisions with a choice; 0 until the account is done. */
  decisions: number;
  /** Why it failed or there is none. */
  why: Reason | null;
}

/** The inputs and results of the shuffle for the draw for deal. */
export interface DrawProof {
  /** The number of the shuffle at the table. */
  shuffle: number;
  /** A text that binds the shuffle to the table and to its number. */
  context: string;
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The server's seed in hexadecimal. */
  seed: string;
  /** By seat, the seed that it added, in hexadecimal; empty for none. */
  seats: string[];
  /** The pack in its canonical order. */
  pack: string[];
  /** The places, counted from 0, and the cards that were drawn. */
  drawn: [number, string][];
}

/** An answer: one of the three, as the drill's kind asks for. */
export interface DrillAnswer {
  kind: 'count' | 'discard' | 'draw' | 'lay' | 'who';
  profile: string;
  players: number;
  seed: number;
  number: number;
  /** The code of a legal play, or the play in notation. */
  play?: string;
  /** For `count`, the points. */
  points?: number;
  /** For `who`, how likely each holder is; the sum does not matter. */
  weights?: number[];
}

/** A question to the rules about the position of a drill. */
export interface DrillAsked {
  kind: 'count' | 'discard' | 'draw' | 'lay' | 'who';
  profile: string;
  players: number;
  seed: number;
  number: number;
  question: PositionQuestion;
}

/** A question of a drill. */
export interface DrillPlace {
  kind: 'count' | 'discard' | 'draw' | 'lay' | 'who';
  /** The name of the game's profile. */
  profile: string;
  players: number;
  /** The seed of the drill's deals; any number. */
  seed: number;
  /** The number of the question, from 1. */
  number: number;
}

/** A question, as the guest is shown it. */
export interface DrillQuestion {
  place: DrillPlace;
  /** The number of questions of a drill. */
  of: number;
  /** What the seat sees; None for `count`. */
  position: SeatPosition | null;
  count: CountQuestion | null;
  who: WhoQuestion | null;
}

/** How good an answer was. */
export interface DrillResult {
  /** From 0 to 100. */
  score: number;
  /** What it loses against the best: even-score points, points off, or for `who` bits of log-loss. */
  loss: number;
  /** For plays, the verdict. */
  verdict: ReviewVerdict | null;
  /** For `count`, the right answer. */
  points: number | null;
  /** For `count`, the lines with their points. */
  lines: ScoreSheetLine[];
  /** For `who`, the chance of each holder. */
  chances: number[];
  /** For `who`, what the guess gives to each holder. */
  guessed: number[];
}

/** An emote that a seat shows. */
export interface EmoteShown {
  type: 'emote';
  seat: number;
  emote: 'good-luck' | 'hello' | 'hurry' | 'laugh' | 'oops' | 'thanks' | 'well-played' | 'wow';
}

/** How often something happens after the played play and after the best one. */
export interface EventRate {
  /** `out`: the own side goes out; `other_out`: another does; `no_out`: nobody does, the stock ends; `next_takes`: the next player takes from the pile; `caught`: a card that the best play gets rid of is left in the hand. */
  name: 'caught' | 'next_takes' | 'no_out' | 'other_out' | 'out';
  /** The share of deals, 0 to 1. */
  played: number;
  best: number;
  /** The standard error of the difference. */
  error: number;
}

/** The reason why a request was refused. */
export interface Failure {
  /** A stable code. */
  code: string;
  /** A sentence in English, for logs and developers. */
  message: string;
  /** The seconds after which the request may be sent again, if that helps. */
  retry_s?: number | null;
  /** The invalid field, if there is one. */
  key?: string | null;
  /** The values in the message, as in a [Reason](#reason). */
  parts?: ReasonParts | null;
}

/** The shuffle in progress, or the one of the current deal. */
export interface Fairness {
  /** The number of the shuffle at the table. */
  shuffle: number;
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The seats that have added their seeds. */
  given: number[];
  /** The server's seed; None until the deal ends. `opened` has those of deals that are given up, and replays of finished deals that of the draw for deal. */
  seed: string | null;
  /** The text with which the derivation of the order begins. */
  context: string;
}

/** Show an emote. */
export interface Feel {
  type: 'emote';
  emote: 'good-luck' | 'hello' | 'hurry' | 'laugh' | 'oops' | 'thanks' | 'well-played' | 'wow';
  id: string;
}

/** The puzzles of one game. */
export interface GamePuzzles {
  /** The name of the game. */
  profile: string;
  /** The title of the game. */
  title: string;
  /** The number of puzzles. */
  puzzles: number;
  /** How many of them the guest has answered. */
  answered: number;
}

/** What the guest's finished matches of one game add up to. */
export interface GameSum {
  /** The name of the game. */
  profile: string;
  /** The title of the game. */
  title: string;
  matches: number;
  won: number;
  /** The number of wins to expect if all play equally well. */
  even: number;
  deals: number;
  /** The sum of the final totals. */
  points: number;
  /** The most points in a deal. */
  best_deal: number;
}

/** The state of the server, and this request as the server received it, for finding a proxy's mistakes. */
export interface Health {
  /** `draining`: the server gives its tables up to others, and no more visitors may be sent to it. */
  status: 'draining' | 'failing' | 'ok';
  /** `ok`, or the code of the error that prevents moves from being stored. */
  store: string;
  /** The version of rum500. */
  version: string;
  scheme: string;
  /** The Host header. */
  host: string;
  /** The client's address. */
  client: string | null;
  /** The header X-Forwarded-Proto. */
  forwarded_proto: string | null;
  /** The header X-Forwarded-Host. */
  forwarded_host: string | null;
  /** The header X-Forwarded-For. */
  forwarded_for: string | null;
  /** Whether the server answers for this host. */
  host_allowed: boolean;
}

/**
 * Ask for a hint about the own decision, where one person plays with bots and the table allows hints.
 *
 * It is noted in the table's log and told to all; the hint itself is then the answer to an `ask` about the
 * `hint`. One that is not deeper than what is noted already is not noted again.
 */
export interface Hint {
  type: 'hint';
  /** As in `play`. */
  asked: number;
  depth: 'numbers' | 'possible' | 'reason';
  id: string;
}

/** A hint about a decision; it follows from what its seat may see. */
export interface HintInfo {
  depth: 'numbers' | 'possible' | 'reason';
  /** For `possible`, what can be played, in no order of quality. Of many melds and lay-offs with jokers not all are listed. */
  plays?: ReviewPlay[];
  /** For `reason` and `numbers`, what `club` would play. */
  choice?: ReviewPlay | null;
  /** For `reason`, what speaks for it. */
  reasons?: HintReason[];
  /** For `numbers`, what was compared, best first. Leads are over `choice`; what is not `as_good` is worse, as far as can be told. */
  candidates?: ReviewCandidate[];
  /** For `numbers`, the number of deals in which `choice` was compared with the best; 0 if the result is exact, or if there is no other play. */
  worlds?: number;
  /** For `numbers`, why `choice` is worse than the best; None if it is not. */
  why?: LossWhy | null;
}

/** A fact that speaks for the suggested play, in the parts of its sentence. */
export interface HintReason {
  /** The code of its sentence, `thumb.` and a word. */
  code: string;
  /** The cards in the sentence. */
  cards?: string[];
  /** A number of cards. */
  count?: number | null;
  /** Points of this deal. */
  points?: number | null;
  /** Another seat that the sentence is about. */
  seat?: number | null;
}

/** The ended matches of the guest, the last first, and what they add up to. */
export interface History {
  rows: HistoryRow[];
  /** The number of rows without `skip` and `limit`. */
  total: number;
  /** By game, whatever the filters, the most played first. */
  games: GameSum[];
  /** What the reviews add up to, whatever the filters; None with fewer than ten reviewed deals. */
  play: PlaySum | null;
}

/** What the reviews of an ended match say about the guest. */
export interface HistoryReview {
  /** `done` if every finished deal is judged, `running` while some are. */
  marks: 'done' | 'failed' | 'none' | 'running' | 'unavailable' | 'waiting';
  /** The number of deals with an account. */
  deals: number;
  /** The number of deals whose decisions are judged. */
  reviewed: number;
  /** What the decisions of this match were worth a deal, against `club`; None without an account. */
  a_deal: number | null;
  /** Half the width of its 95 % interval. */
  half: number | null;
  /** The marks of the judged deals; None if there are none. */
  tally: MarkTally | null;
}

/** What an ended match came to for the guest. */
export interface HistoryRow {
  /** The id of the table. */
  table: string;
  /** The time at which the match ended. */
  ended: number;
  status: 'abandoned' | 'over';
  /** The name of the game. */
  profile: string;
  /** The title of the game. */
  title: string;
  players: number;
  /** The number of finished deals. */
  deals: number;
  /** The place, from 1; None if the match was abandoned. */
  place: number | null;
  won: boolean;
  /** The final total of the guest or the guest's side, or the total so far. */
  points: number;
  /** The points ahead of the next or, negative, behind the winner; None if the match was abandoned. */
  margin: number | null;
  /** The names of the others of the guest's side. */
  partners: string[];
  /** The names of the opponents. */
  opponents: string[];
  /** Whether other people played. */
  with_people: boolean;
  /** The level of the bots, if all of them had the same. */
  level: string | null;
  /** The number of decisions for which the guest was given a hint. */
  hints: number;
  /** What its reviews say about the guest. */
  review: HistoryReview;
}

/** The table of a match to be removed from the guest's history. */
export interface HistoryTable {
  table: string;
}

/** A house rule that a profile can be played with. */
export interface HouseRuleInfo {
  id: string;
  title: string;
}

/** Join the table; the first message of a connection. */
export interface Join {
  type: 'join';
  /** The `number` of the last update that this client has received; 0 for none. */
  last?: number;
  id: string;
}

/** A seat whose token is revoked. */
export interface LentSeat {
  seat: number;
}

/**
 * Say whether the page shows the table. A new connection counts as one that does.
 *
 * While a table waits for a guest and no page of the guest shows it, the guest's browsers may be sent a
 * message.
 */
export interface Look {
  type: 'look';
  shown: boolean;
  id: string;
}

/** A part of a loss; the parts add up to its `points`. */
export interface LossPart {
  name: 'bonus' | 'others_held' | 'others_laid' | 'own_held' | 'own_laid';
  points: number;
  /** The standard error of the points. */
  error: number;
}

/** A reason for a loss, in the parts of its sentence. */
export interface LossReasonInfo {
  /** The code of its sentence, `why.` and a word. */
  code: string;
  /** The points of the loss that it explains. */
  points: number;
  /** Their standard error. */
  error: number;
  /** The cards in the sentence. */
  cards: string[];
  /** The percentage of deals in which it happens after the played play. */
  played: number | null;
  /** The percentage after the best play. */
  best: number | null;
}

/** What a loss is made of. */
export interface LossWhy {
  /** `why.costs` if there are reasons, `why.small` if there are none, `why.match` if the score decides, `why.exact` if every card was known. */
  code: 'why.costs' | 'why.exact' | 'why.match' | 'why.small';
  /** The sentence in English. */
  message: string;
  /** The loss in points of the deal. */
  points: number;
  /** Half the width of its 95 % interval. */
  half: number;
  /** What is told, the largest first. */
  reasons: LossReasonInfo[];
  parts: LossPart[];
  rates: EventRate[];
  others: 'opponent' | 'others' | 'side';
  /** The points by which the reasons exceed the loss, and which come back in other ways; 0 if too few to be told. */
  gained: number;
  /** The loss in chance to win the match, 0 to 1; None where the deal is about points alone. */
  chance: number | null;
}

/** How many counted decisions have which mark. */
export interface MarkTally {
  counted: number;
  doubtful: number;
  mistakes: number;
  blunders: number;
  found: number;
}

/**
 * The result of the match.
 *
 * A player is identified by the seat where the player sat when the match began.
 */
export interface MatchEnd {
  /** `target`, `deals`, `max_deals` or `forfeit`. */
  reason: string;
  /** The players who won; empty if the match is drawn. */
  winners: number[];
  /** The players who resigned. */
  quitters: number[];
  drawn: boolean;
  /** The points that the winner gets for the match. */
  bonus: number;
  /** The names of the players, by player. */
  names: string[];
  /** The players of each account; accounts of players who resigned come last. */
  rows: number[][];
  /** The totals without the bonus, by row. */
  totals: number[];
  /** The totals with the bonus, by row. */
  final: number[];
  /** Payments, each of them the players who pay, the players who are paid, and the points. */
  payments: [number[], number[], number][];
}

/** The review of a match: its deals, and where the points of all of them came from. */
export interface MatchReview {
  table: string;
  /** The player that the guest who asks is or was; None for others. */
  you: number | null;
  /** None until an account is done. */
  judge: ReviewJudge | null;
  others: 'opponent' | 'others' | 'side';
  /** The names of the players, by player. */
  names: string[];
  /** The finished deals, and one that was given up. */
  deals: DealReviewInfo[];
  /** The sums by player over the deals whose account is done. */
  seats: SeatAccount[];
  /** The guest's best find; None for others, and if there is none. */
  best: ReviewVerdict | null;
  /** The deal of `best`. */
  best_deal: number | null;
  /** The guest's costliest decision; None for others, and if there is none. */
  worst: ReviewVerdict | null;
  worst_deal: number | null;
  /** The guest's luckiest draw. */
  luckiest: ReviewDraw | null;
  luckiest_deal: number | null;
}

/** The guest who sent the request, and the bots of the server. */
export interface Me {
  id: string;
  name: string;
  /** The time at which the guest was created. */
  guest_since: number;
  /** The levels of bots, weakest first. */
  levels: string[];
  /** The level that is offered first; the default for a new table. */
  level_usual: string;
}

/** A meld on the table. */
export interface MeldPlate {
  /** The number of the meld, from 0 in the order of laying. */
  number: number;
  kind: 'jokers' | 'run' | 'set';
  /** The seat that laid the meld. */
  owner: number;
  /** The cards in order, each with the seat that laid it and scores it (R-LAY-3). */
  cards: PlacedCard[];
  /** Whether four of its cards were laid in one play. */
  at_once: boolean;
}

/** What the guest plays now. */
export interface MistakeAnswer {
  table: string;
  deal: number;
  step: number;
  /** The code of a legal play, or the play in notation. */
  play: string;
  /** How long the guest has thought. */
  seconds: number;
  /** The name of the browser's time zone, such as `Europe/Berlin`. */
  zone: string;
}

/** A question to the rules about the position of a mistake. */
export interface MistakeAsked {
  table: string;
  deal: number;
  step: number;
  question: PositionQuestion;
}

/** A hint: what was played in the match, and what is sought. An answer after it counts as hard. */
export interface MistakeHint {
  /** What the guest played in the match, which is not right. */
  played: ReviewPlay;
  /** The question between it and the best play. */
  kind: 'call' | 'discard' | 'draw' | 'lay' | 'lay_off';
  /** The kind of the best play. */
  best: 'call' | 'discard' | 'draw' | 'end' | 'lay' | 'let_go' | 'meld' | 'pass' | 'take';
  /** How many of the plays that were compared are right. */
  right: number;
}

/** Which mistake it is. */
export interface MistakeName {
  table: string;
  deal: number;
  /** The number of the play in the deal, from 1. */
  step: number;
}

/** A mistake that comes back. */
export interface MistakeQuestion {
  name: MistakeName;
  position: SeatPosition;
  /** How often the guest has answered it. */
  answers: number;
  /** The hint, if the guest has asked for it already. */
  hint: MistakeHint | null;
}

/** Whether an answer was right, and when the mistake comes back. */
export interface MistakeResult {
  /** Whether the play is as good as the best, as far as can be told. */
  right: boolean;
  /** How well it was remembered: wrong is `again`, right after a hint `hard`, within five seconds `easy`. */
  rating: 'again' | 'easy' | 'good' | 'hard';
  /** What the guest plays now. */
  answer: ReviewPlay;
  /** The verdict on a wrong answer; None for a right one. */
  verdict: ReviewVerdict | null;
  /** The verdict on what the guest played in the match. */
  then: ReviewVerdict;
  /** The day on which it comes back; None: it is learnt. */
  back: string | null;
  /** The number of days until then. */
  days: number | null;
}

/** How far the guest is today. */
export interface MistakesToday {
  /** The number of mistakes that come back today; there are never more than 20 answers a day. */
  left: number;
  /** The number of today's answers. */
  done: number;
  /** The number of all mistakes that are not learnt yet. */
  waiting: number;
  /** The number of those that are learnt, and do not come back. */
  sitting: number;
  /** The day on which the next one comes back, if none is left today; None without any. */
  back: string | null;
  /** None if none is left today. */
  next: MistakeQuestion | null;
}

/** An unfinished table of the guest who sent the request. */
export interface MyTable {
  table: TableSummary;
  /** Whether the match waits for this guest. */
  my_turn: boolean;
  /** The time at which the present decision was asked for. */
  asked: number;
  /** By a clock of days, the time at which the match goes on without those for whom it waits; None: it waits for them. */
  due: number | null;
  /** The number of the deal in progress; 0 before the first. */
  deal: number;
  /** The guest's seat; None for a player who resigned. */
  seat: number | null;
  /** The names of the players by seat, as they sit now. */
  names: string[];
  /** The totals of the match, by side if there are sides, else by seat; empty before the match. */
  scores: number[];
}

/** A seat for an external bot, and the bot's name there. */
export interface NewBot {
  seat: number;
  /** A name as in [NewName](#newname). */
  name?: string;
}

/** The name that a guest chooses. */
export interface NewName {
  /** 1 to 24 visible characters after spaces are removed, in the Unicode form NFKC; no signs like # or |, at most two marks on a letter. */
  name: string;
}

/** A table to be made. An option that is None has the profile's or the server's default. */
export interface NewTable {
  /** The name of the game. */
  profile: string;
  /** The ids of the house rules to add. */
  house_rules?: string[];
  /** The names of the variations to make. */
  variations?: string[];
  players?: number | null;
  /** The points to reach, in a match to a target. */
  target?: number | null;
  /** The number of deals, or the most deals of a match to a target. */
  deals?: number | null;
  /** Whether the lobby does not list the table. */
  private?: boolean;
  /** The seconds for each turn; None: no clocks. From 86400, a day, the clock runs by the calendar, even while nobody is connected. */
  turn_s?: number | null;
  /** Each player's additional seconds for the match. */
  bank_s?: number | null;
  /** The seconds in which "Rummy!" may be called; by a clock of days it is `turn_s`. */
  claim_s?: number | null;
  /** The level of bots for seats that are empty when the match begins, and for absent people. */
  level?: string | null;
  /** Whether the seats are drawn by lot when the match begins. */
  seats_drawn?: boolean | null;
  /** The seconds after which a bot plays for an absent person while others wait; 0: never. Without meaning by a clock of days. */
  leaver_s?: number | null;
  /** The deepest hint that may be asked for while one person plays with bots; by default none. */
  hints?: 'none' | 'numbers' | 'possible' | 'reason' | null;
  /** The number of decisions of a deal for which hints may be asked; by default all. */
  hints_a_deal?: number | null;
  /** By seat, the level of a bot, or None for an empty seat. Seats that are not listed are empty. */
  bots?: (string | null)[];
  /** Whether to begin the match at once, with bots at all empty seats. The guest has the first empty one. */
  start?: boolean;
}

/** The id of a new table. */
export interface NewTableId {
  id: string;
}

/** Be ready for the next deal. It begins when all people here are ready, or after a minute if one is. */
export interface Next {
  type: 'next';
  id: string;
}

/** What a browser needs to be sent messages when a table waits for its guest. */
export interface Notices {
  /** The server's public key in base64url, the `applicationServerKey` of the Push API; None if the host has turned messages off. */
  key: string | null;
}

/** A play of a decision, judged with all hands open. */
export interface OpenCandidate {
  play: ReviewPlay;
  /** Its mean points of the deal over the played one's. */
  points: number;
  /** Their standard error. */
  error: number;
}

/** What nobody could know: the plays of a decision, judged with all hands open. Never used for marks. */
export interface OpenHands {
  step: number;
  frame: number;
  seat: number;
  judge: ReviewJudge;
  /** The played one first. */
  candidates: OpenCandidate[];
}

/** A shuffle whose deal ended without a result, with all that its order follows from. */
export interface OpenedShuffle {
  /** The number of the shuffle at the table. */
  shuffle: number;
  /** A text that binds the shuffle to the table and to its number. */
  context: string;
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The server's seed in hexadecimal. */
  seed: string;
  /** By seat, the seed that it added, in hexadecimal; empty for none. */
  seats: string[];
  /** The number of cards that were lifted. */
  cut: number;
  /** The origin of the cut: `seat`, `middle` or `stream`. */
  cut_by: string;
}

/** Choose a card in the draw for deal, or a place for the cut. */
export interface Pick {
  type: 'pick';
  /** As in `play`. */
  asked: number;
  /** One of `shared.positions`, or, for a cut, a number from the first of them to the last. */
  position: number;
  id: string;
}

/** Test the connection and the table. */
export interface Ping {
  type: 'ping';
  id: string;
}

/** A card in a meld. */
export interface PlacedCard {
  card: string;
  /** The card that a wild joker stands for, or, for an ace in a run, its place; otherwise None. */
  place: string | null;
  /** The seat that scores the card. */
  seat: number;
  /** The points of the card, doubled if it counts double; not doubled on the score sheet. */
  points: number;
}

/** Make a play. */
export interface Play {
  type: 'play';
  /** The table's `asked` when the player decided; a play that answers an older decision is refused. */
  asked: number;
  /** The code of the play. */
  play: string;
  id: string;
}

/** How well a seat played, in points a deal against `club`. */
export interface PlayScore {
  a_deal: number;
  /** Half the width of its 95 % interval. */
  half: number;
  /** The levels of bots that play about as well, weakest first, two at most; empty if more do, or if none were measured for a game like this. */
  about: string[];
}

/** What the guest's reviews of all matches add up to, from ten reviewed deals on. */
export interface PlaySum {
  /** The number of deals with an account. */
  deals: number;
  /** The play value a deal against `club`. */
  a_deal: number;
  /** Half the width of its 95 % interval. */
  half: number;
  /** The later half of these deals less the earlier half, in points a deal. */
  change: number;
  /** The time at which the later half begins. */
  since: number;
  /** How many mistakes and blunders there were, by kind of decision. */
  mistakes: Record<string, number>;
}

/** The answer to `ping`. */
export interface Pong {
  type: 'pong';
  re: string;
}

/** What the rules say about a position, as [answer](#answer) at a table. It does not say what is best. */
export interface PositionAdvice {
  /** Possible plays, those with most points first. */
  options: SuggestedPlay[];
  /** About the `turn`: the hand in groups. */
  groups: CardGroup[];
  /** The reason why there are no plays. */
  reason: Reason | null;
  /** The reasons why plays are not legal. */
  refused: Record<string, Reason>;
}

/** The play that a guest chooses in a position. */
export interface PositionPlay {
  /** The code of a legal play, or the play in notation, such as `meld 6S 7S 8S`. */
  play: string;
}

/** A question to the rules about a position, as [ask](#ask) at a table. */
export interface PositionQuestion {
  /** As in [ask](#ask). */
  about: 'cards' | 'take' | 'turn';
  /** About `cards`: the cards of the hand. */
  cards?: string[];
  /** About a `take`: the number of cards from the pile. */
  count?: number;
}

/** A game of the family. */
export interface Profile {
  name: string;
  /** Other names under which the server knows the game. */
  aliases: string[];
  title: string;
  /** The game in one sentence. */
  summary: string;
  /** The source of its rules. */
  source: string;
  /** The possible numbers of players. */
  players: number[];
  /** The number of players that is offered first. */
  players_usual: number;
  /** 2 if two play against two, otherwise 0. */
  sides: number;
  /** The points to reach in a match to a target. */
  target: number;
  /** `target`: a match is played to a target; `deals`: over a number of deals. */
  match: string;
  /** The number of deals in a match over deals. */
  deals: number;
  /** The number of jokers in a pack. */
  jokers: number;
  /** `none`, `wild`, or `rank` if jokers are a rank of their own. */
  joker_kind: string;
  /** The house rules that can be added. */
  house_rules: HouseRuleInfo[];
  /** The ids of the rules that are not as in 500 Rum. */
  differs: string[];
}

/** The judgement of an answer, or the reason why it is not possible. */
export interface PuzzleAnswered {
  /** None if the play is refused. */
  result: PuzzleResult | null;
  refused: Reason | null;
  /** For a refused play in the notation, the column of the error, counted from 1. */
  column: number | null;
}

/** What a level of bot plays in a puzzle. */
export interface PuzzleLevel {
  level: string;
  play: ReviewPlay;
  right: boolean;
}

/** Whether an answer is right, what the plays lose, and why. */
export interface PuzzleResult {
  /** Whether the play is the best, or as good as far as the seat could know. */
  right: boolean;
  /** Whether the puzzle is one of those in which the plain play is right. */
  quiet: boolean;
  played: ReviewPlay;
  /** The best play; `candidates` has those that are as good. */
  best: ReviewPlay;
  /** What the play loses against the best, in even-score points; 0 if it is right. */
  loss: number;
  /** The standard error of the loss. */
  error: number;
  /** All plays, best first, each measured from the played one. */
  candidates: ReviewCandidate[];
  /** What the loss is made of; for a right play, that of the best wrong one. */
  why: LossWhy | null;
  /** The play that `why` is about. */
  why_of: ReviewPlay | null;
  /** What the bots play, weakest level first. */
  levels: PuzzleLevel[];
  /** The rating of the puzzle before this answer; of one that was given earlier, the present rating. */
  puzzle_rating: number;
  /** The guest's rating before this answer; None if it did not count, because an earlier one did. */
  before: number | null;
  /** The guest's rating. */
  rating: number;
  /** As in [PuzzleStanding](#puzzlestanding). */
  streak: number;
  /** The guest's vote: 1 for a good puzzle, -1 for a bad one, 0 for none. */
  vote: number;
}

/** A puzzle as it is asked. */
export interface PuzzleShown {
  /** The name of the puzzle. */
  id: string;
  /** The day whose puzzle it is, if it was asked for as the puzzle of the day. */
  day: string | null;
  position: SeatPosition;
  /** The result of the guest's first answer; None before it. */
  result: PuzzleResult | null;
}

/** How far a guest is with puzzles. */
export interface PuzzleStanding {
  /** The guest's rating; everybody begins with 1500. */
  rating: number;
  /** The uncertainty of the rating, as a standard deviation. */
  deviation: number;
  /** The number of puzzles that the guest has answered. */
  answered: number;
  /** How many of them were right. */
  solved: number;
  /** The present day in UTC, such as `2026-11-24`. */
  day: string;
  /** Whether the guest has answered the puzzle of the day. */
  today: boolean;
  /** The number of days in a row, until today or yesterday, whose puzzle the guest answered on the day. */
  streak: number;
  /** The games that there are puzzles of. */
  games: GamePuzzles[];
}

/** What a guest thinks of a puzzle that the guest has answered. */
export interface PuzzleVote {
  /** 1: a good puzzle, -1: a bad one, 0: no vote. */
  vote: number;
}

/** The reason for a refusal. */
export interface Reason {
  /** A stable code. */
  code: string;
  /** A sentence in English, for logs; empty in the answer about a `turn`. */
  message?: string;
  /** The id of the rule. */
  rule?: string;
  /** The card at fault. */
  card?: string | null;
  /** The other values in the sentence. */
  parts?: ReasonParts | null;
}

/**
 * The values in a refusal's sentence, apart from the card at fault; they depend on the code.
 *
 * Cards are written like `8C`, a joker that stands for another card like `JK=6S`.
 */
export interface ReasonParts {
  /** The cards of the play, or the cards in the pile. */
  cards?: string[];
  /** The cards that an incomplete set would have. */
  set?: string[];
  /** The cards that an incomplete run would have. */
  run?: string[];
  /** The cards that a run lacks. */
  missing?: string[];
  /** The cards that fit a meld. */
  takes?: string[];
  /** The card that a joker would stand for. */
  place?: string | null;
  /** The rank of the other cards: `6`, `K`. */
  rank?: string | null;
  /** The rank of which more cards are needed. */
  ranks?: string | null;
  /** The suit of the other cards: `S`, `H`, `D` or `C`. */
  suit?: string | null;
  /** The number of a meld, counted from 1. */
  meld?: number | null;
  /** The number of melds on the table. */
  melds?: number | null;
  /** The number of copies of the card that the player holds. */
  held?: number | null;
  /** The number of restocks. */
  times?: number | null;
  /** The requested number. */
  count?: number | null;
  /** The largest possible number. */
  most?: number | null;
  /** The possible numbers of players. */
  players?: number[];
  /** The name of the advice: `draw_or_take`, `use_or_pass` and others. */
  advice?: string | null;
  /** The name of one of the code's sentences: `run`, `set`, `jokers`, `wild`, `low` and others. */
  kind?: string | null;
  /** The unexpected text in the notation; empty at the end of the line. */
  found?: string;
  /** The name of the expected part of the notation: `play`, `card`, `count` and others. */
  wanted?: string | null;
  /** The English name of the play in the notation. */
  verb?: string | null;
  /** The plays that are possible instead, in the notation. */
  plays?: string[];
}

/** A refused message; it has changed nothing. */
export interface Refused {
  type: 'refused';
  /** The id of the message; None if the message has none. */
  re: string | null;
  reason: Reason;
  /** For a play in the notation, the column of the error, counted from 1. */
  column?: number | null;
}

/** A finished deal that can be shown step by step from any seat. */
export interface Replay {
  /** The id of the table. */
  table: string;
  /** The number of the deal. */
  deal: number;
  options: TableInfo;
  /** The names of the players, by seat. */
  names: string[];
  /** The match's draw for deal; None if there was none. */
  draw: DrawProof | null;
  fairness: ShuffleProof | null;
  /** The steps, in order. */
  frames: ReplayFrame[];
  sheet: ScoreSheet;
}

/** A step of a replay. */
export interface ReplayFrame {
  /** The event. */
  event: TableEvent | null;
  /** The changes of the public state. */
  shared: SnapshotPatch;
  /** All hands after the event, by seat. */
  hands: string[][];
}

/** Give up the match. */
export interface Resign {
  type: 'resign';
  id: string;
}

/** A request to judge the decisions of a deal, or of all finished deals of a match. */
export interface ReviewAsked {
  /** The seat whose decisions come first; None: the guest's own. */
  seat?: number | null;
}

/** A play that was compared with the others of its decision. */
export interface ReviewCandidate {
  play: ReviewPlay;
  /** How many points it is better than the played one; even-score points, as `ReviewVerdict.loss`. */
  lead: number;
  /** Half the width of the lead's 95 % interval; 0 for the played one, and where the result is exact. Of the best one it is that of the loss. */
  half: number;
  /** Whether it is as good as the best, as far as can be told. */
  as_good: boolean;
}

/** A card drawn from the stock, and what it was worth to the seat that drew it. */
export interface ReviewDraw {
  step: number;
  frame: number;
  seat: number;
  turn: number;
  card: string;
  /** The points that the card added to the expected margin. */
  value: number;
}

/** Which judge it was: results of the same judge can be compared. */
export interface ReviewJudge {
  /** `search` judges by what the seat could know, `open` by all hands: what nobody could know. */
  name: 'open' | 'search';
  /** The version of the method. */
  version: number;
  /** A digest of the weights and tables that it used. */
  digest: string;
  /** How thoroughly it judges: `quick`, `usual`, `deep`, or a number of worlds; empty for `open`. */
  budget: string;
  /** The standard deviation of a deal of this game, in points. */
  deviation: number;
  /** The losses from which a decision is doubtful, a mistake and a blunder, in points. */
  bounds: number[];
}

/** A play that was made, or could have been. */
export interface ReviewPlay {
  /** The code of the play. */
  code: string;
  kind: 'call' | 'discard' | 'draw' | 'end' | 'lay' | 'let_go' | 'meld' | 'pass' | 'take';
  /** The play in notation, for logs and developers. */
  text: string;
  /** The cards that are taken, called for, laid or discarded. */
  cards?: PlacedCard[];
  /** The points that it scores at once. */
  points?: number;
  /** For `lay`, the number of the meld. */
  meld?: number | null;
  /** For `lay`, the seat that laid the meld. */
  owner?: number | null;
  /** For `lay`, the cards of the meld, where the same cards could also be laid on another one. */
  on?: string[];
  /** For `meld` and `lay`, the kind of the meld: `run`, `set` or `jokers`. */
  meld_kind?: string | null;
}

/** What could be expected after a step, if all hands were known and the order of the stock was not. */
export interface ReviewPoint {
  step: number;
  frame: number;
  /** The expected margin of the deal, by seat. */
  margins: number[];
  /** The chance to win the match, 0 to 1, by seat; None where the deal is about points alone. */
  chances: number[] | null;
}

/** What a decision cost, judged by what its seat could know. */
export interface ReviewVerdict {
  step: number;
  frame: number;
  seat: number;
  /** The number of the seat's turn in the deal, from 1. */
  turn: number;
  kind: 'call' | 'discard' | 'draw' | 'lay' | 'lay_off';
  mark: 'blunder' | 'decided' | 'doubtful' | 'good' | 'mistake';
  /** The loss in even-score points: points that change the chance to win as much at the start of a match. */
  loss: number;
  /** The lower end of its 95 % interval. */
  low: number;
  /** Its upper end. */
  high: number;
  /** The loss in points of this deal. */
  points: number;
  /** The standard error of `points`. */
  points_error: number;
  /** The loss in chance to win the match, 0 to 1; None where the deal is about points alone. */
  chance: number | null;
  /** Whether every card was known, so that best play by all was computed. */
  exact: boolean;
  /** Whether other judges find the played one better. */
  disputed: boolean;
  /** Whether it is as good as the best, and surely better than what `club` would have done, by as much as a doubtful decision costs. */
  found: boolean;
  /** What it brought compared with what `club` would have done, in points of the deal; 0 for the same. */
  gain: number;
  /** Half the width of the gain's 95 % interval. */
  gain_half: number;
  /** The number of deals in which it was measured; 0 if exact. */
  worlds: number;
  played: ReviewPlay;
  /** The played one if nothing is better. */
  best: ReviewPlay;
  /** The best of what was compared, best first; the played one is always among them. */
  candidates: ReviewCandidate[];
  /** None without a loss. */
  why: LossWhy | null;
}

/** A house rule or variation that a game can be played with. */
export interface RuleChoice {
  /** Its id or name. */
  id: string;
  kind: 'house' | 'variation';
  /** The rule in a sentence. */
  title: string;
  /** The letter of the source that names it. */
  source: string;
  /** The reason why it does not go with what is chosen, or why it cannot stay chosen; None if it does. */
  refused: Reason | null;
}

/** A rule in a sentence. */
export interface RuleSentence {
  /** The heading under which the rule belongs. */
  heading: string;
  /** The id of the sentence, by which the page translates it. */
  id: string;
  /** The values in the sentence. */
  params: Record<string, unknown>;
  /** The ids of the rules in the rulebook that it tells, the main one first. */
  rules: string[];
  /** The sentence in English. */
  text: string;
}

/** Make a play that is written in the notation, such as `meld 6S 7S 8S`. */
export interface Say {
  type: 'say';
  /** As in `play`. */
  asked: number;
  text: string;
  id: string;
}

/** The score sheet of one deal, as on paper. */
export interface ScoreSheet {
  /** The number of the deal. */
  number: number;
  /** As in `DealResult`. */
  reason: string;
  /** As in `DealResult`. */
  out: number | null;
  /** The lines, by seat. */
  lines: ScoreSheetLine[][];
  /** The sums of the lines, by seat. */
  points: number[];
  /** The points of the deal, by account. */
  accounts: number[];
  /** The points of the match so far, by account. */
  totals: number[];
}

/** A line in one seat's column of the score sheet. */
export interface ScoreSheetLine {
  /** `meld`: a new meld; `lay`: cards laid off; `hand`: cards held at the end; `collected`: the cards in the other hands; `bonus`: the points for going out. */
  kind: 'bonus' | 'collected' | 'hand' | 'lay' | 'meld';
  cards: PlacedCard[];
  /** The points of each card, before doubling. */
  each: number[];
  /** The points of the line; for `hand` 0 or less. */
  points: number;
  /** Whether the points are doubled. */
  doubled: boolean;
  /** For `meld` and `lay`, the seat that laid the meld. */
  owner: number | null;
  /** For `meld` and `lay`, the kind of the meld: `run`, `set` or `jokers`. */
  meld_kind: string | null;
}

/** Where a seat's points came from. The parts add up to the margin. */
export interface SeatAccount {
  /** The seat; in a whole match the player, as in `MatchEnd`. */
  seat: number;
  /** The points less the mean of the others'; in partnerships the side's less the other side's. */
  margin: number;
  /** The hands dealt and the cards drawn. */
  cards: number;
  /** What the own decisions brought, compared with `club`. */
  own_play: number;
  /** Half the width of its 95 % interval. */
  own_half: number;
  /** What the others' decisions did, compared with `club`. */
  other_play: number;
  /** What is left. */
  unexplained: number;
  /** The number of decisions with a choice. */
  decisions: number;
  /** How well it played; None with fewer than 30 decisions, and where the deals stray too far to tell. */
  score: PlayScore | null;
  /** Its marks; None until all its decisions are judged. */
  tally: MarkTally | null;
}

/** Give a seat to a bot, or make it empty; only for the host. */
export interface SeatBot {
  type: 'seat_bot';
  seat: number;
  /** The level of the bot; None makes the seat empty. */
  level?: string | null;
  id: string;
}

/** The player at a seat. */
export interface SeatPlate {
  kind: 'bot' | 'empty' | 'person';
  name: string;
  /** The level of a bot. */
  level: string | null;
  /** Whether this person is connected. */
  here: boolean;
  /** The time after which a bot plays for this absent person; 0: it plays now; None: no bot will play. */
  bot_in_ms: number | null;
  /** Whether this person wants the next deal. */
  ready: boolean;
  /** The time after which the others may vote to `replace` this person by a bot, because the person is absent and keeps a table without clocks waiting; 0: they may vote now; None: they may not. */
  replace_in_ms: number | null;
  /** Whether the player is an external bot with a token. */
  robot: boolean;
}

/** A decision as the seat that makes it sees it, in the form in which a table is shown. */
export interface SeatPosition {
  /** The game. */
  options: TableInfo;
  /** What everybody sees. There are no clocks, and a call of "Rummy!" has no end. */
  shared: Snapshot;
  /** The hand and the legal plays of the seat that decides. */
  you: You;
  /** The course of the deal as everybody saw it; empty if it is not known. */
  events: TableEvent[];
}

/** Add this browser's seed to a shuffle. */
export interface Seed {
  type: 'seed';
  /** The number of the shuffle whose commitment this answers. */
  shuffle: number;
  /** The seed, 8 to 32 bytes in hexadecimal. */
  value: string;
  /** The place, in per mille of the pack, where this seat cuts if it is to cut; None: it is asked then. */
  cut?: number | null;
  id: string;
}

/** The inputs and results of a shuffle, for checking it; published when the deal has ended. */
export interface ShuffleProof {
  /** The number of the shuffle at the table. */
  shuffle: number;
  /** A text that binds the shuffle to the table and to its number. */
  context: string;
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The server's seed in hexadecimal. */
  seed: string;
  /** By seat, the seed that it added, in hexadecimal; empty for none. */
  seats: string[];
  /** The number of cards that were lifted. */
  cut: number;
  /** The origin of the cut: `seat`, `middle` or `stream`. */
  cut_by: string;
  /** The pack in its canonical order. */
  pack: string[];
  /** The order from which the cards were dealt. */
  deck: string[];
  /** The new stocks of the deal, in order. */
  restocks: string[][];
}

/** The devices on which the guest is signed out. */
export interface SignOut {
  /** `others`: all but the one that sends the request. */
  devices: 'others';
}

/** Take an empty seat; the own seat again has no effect. */
export interface Sit {
  type: 'sit';
  /** None for the first empty seat. */
  seat?: number | null;
  id: string;
}

/**
 * The public state of a table, which spectators see too.
 *
 * Lists by seat run clockwise from seat 0, as the players sit now: a draw for partners changes their seats,
 * and a player who resigns from a larger table leaves no seat.
 */
export interface Snapshot {
  status: 'abandoned' | 'open' | 'over' | 'paused' | 'playing';
  /** The number of the decision in progress; plays quote it. */
  asked: number;
  /** The kind of decision that the table waits for. `seats`: the match has not begun; `next`: the players read the score sheet. */
  waiting_for: 'claim' | 'cut' | 'draw' | 'next' | 'over' | 'play' | 'seats' | 'shuffle';
  /** The seat that has to decide, if only one has. */
  actor: number | null;
  seats: SeatPlate[];
  /** The host's seat. */
  host: number | null;
  /** The number of spectators. */
  watching: number;
  /** The seats that agree, by the subject of the vote. */
  votes: Record<string, number[]>;
  clock: Clock | null;
  /** By seat, the time in ms that the bank had when the clock last stopped; empty without clocks. */
  banks: number[];
  claim: ClaimWindow | null;
  fairness: Fairness | null;
  /** The shuffles of deals that became void, because somebody resigned or all agreed to end the match; with that of the draw for deal if no deal was finished before. */
  opened: OpenedShuffle[];
  /** The id of the table at which the same people play again. */
  rematch: string | null;
  /** By seat, the number of decisions of the match for which the player was given a hint. */
  hints: number[];
  /** The number of the deal on the table, or else of the next one; 0 before the match. */
  deal: number;
  /** The seat that deals this deal, or, while the score sheet is read, the next one. */
  dealer: number | null;
  /** The seat that keeps the score, if the rules name one. */
  scorer: number | null;
  /** By seat, the cards drawn for deal. */
  drawn: string[][];
  /** The positions of the spread pack that can still be drawn, or, for a cut, the first and the last one. */
  positions: number[];
  /** Points of the match by seat. */
  totals: number[];
  /** Points of the match by account: by side if there are sides, else by seat. */
  accounts: number[];
  /** The finished deals. */
  scores: DealResult[];
  /** The last deal's score sheet, until the next shuffle. */
  sheet: ScoreSheet | null;
  result: MatchEnd | null;
  /** The deal's phase; None while no deal is on the table. */
  phase: 'claim' | 'draw' | 'over' | 'play' | 'use' | null;
  /** The seat whose turn it is. */
  turn: number | null;
  /** By seat, the number of cards in hand. */
  hand_sizes: number[];
  /** By seat, the cards taken from the pile and still held. */
  known: string[][];
  /** The discard pile, oldest card first. */
  pile: string[];
  /** The number of cards in the stock. */
  stock: number;
  /** The number of restocks since a card was last laid. */
  restocks: number;
  melds: MeldPlate[];
  /** The taken card that must be used now. */
  must_use: string | null;
  /** The cards taken with it. */
  taken: string[];
  /** The card that may not be discarded this turn. */
  banned: string | null;
  /** Whether the player in turn began the turn without cards. */
  floater: boolean;
  /** By seat, the points on the table. */
  laid: number[];
  /** The number of passes in a row. */
  passes: number;
  /** All hands once the deal is over (D22), else None. */
  hands: string[][] | null;
}

/** Those fields of `Snapshot` that have changed, all else left out. */
export type SnapshotPatch = Partial<Snapshot>;

/** Leave the seat before the match begins. */
export interface Stand {
  type: 'stand';
  id: string;
}

/** Begin the match; only for the host. Empty seats get bots of the table's level. */
export interface Start {
  type: 'start';
  id: string;
}

/** A possible play that lays or takes cards. */
export interface SuggestedPlay {
  /** The code of the play. */
  play: string;
  kind: 'call' | 'lay' | 'meld' | 'take';
  /** The cards that are laid or taken. */
  cards: PlacedCard[];
  /** The points that the play scores at once. */
  points: number;
  /** Whether these points are doubled. */
  doubled?: boolean;
  /** For `lay`, the number of the meld. */
  meld?: number | null;
  /** For `lay`, the seat that laid the meld. */
  owner?: number | null;
  /** The kind of the meld: `run`, `set` or `jokers`. */
  meld_kind?: string | null;
  /** Whether the play lays three cards of a rank while the fourth, which would double them, is in hand. */
  fourth?: boolean;
  /** For `take` and `call`, the number of cards. */
  count?: number | null;
  /** For `take` and `call`, the best play that uses the card. */
  then?: SuggestedPlay | null;
}

/** The complete table as this viewer may see it; the answer to `join`. */
export interface Sync {
  type: 'sync';
  /** The id of the `join`. */
  re: string;
  /** The id of the table. */
  table: string;
  /** The number of the last entry in the table's log. */
  number: number;
  /** Whether `missed` contains every event since the `last` of the `join`. */
  gap: boolean;
  /** The events since then, or, if `gap` is false, the last events of the current deal. */
  missed: TableEvent[];
  options: TableInfo;
  shared: Snapshot;
  you: You;
  /** The last lines of chat. */
  chat: ChatLine[];
}

/** An event at the table. The kind determines which fields are present. */
export interface TableEvent {
  /** The number of the event's entry in the table's log; it never decreases. */
  number: number;
  /** Before the match `sat`, `stood`, `bot`, `began`; in the draw for deal `spread`, `draw_for_deal`, `draw_again`, `seated`; before a deal `shuffle`, `cut`, `deal`; in a turn `draw`, `restock`, `take`, `call`, `meld`, `lay`, `discard`, `pass`, `let_go`, `end`, `float`, `undone`; at the end of a deal `over`, `settle`; for the whole match `match_over`, `resign`, `paused`, `resumed`, `replaced`, `abandoned`, `rematch`; `hinted` if a seat was given a hint. */
  kind: string;
  /** The seat of the player at the time of the event. */
  seat?: number | null;
  /** The name of the player, for `sat`, `stood`, `bot`, `draw_for_deal` and `resign`. */
  name?: string | null;
  /** The card that was drawn or discarded, or the upcard of a `deal`. */
  card?: string | null;
  /** The cards that were taken, called for or restocked. */
  cards?: string[] | null;
  /** The cards that were melded or laid off. */
  laid?: PlacedCard[] | null;
  /** The number of their meld. */
  meld?: number | null;
  /** For `lay`, the seat that laid the meld. */
  owner?: number | null;
  /** The kind of the meld: `run`, `set` or `jokers`. */
  meld_kind?: string | null;
  /** The points of the cards that were laid. */
  points?: number | null;
  /** Whether these points are doubled. */
  doubled?: boolean | null;
  /** The taken card that must be used first. */
  must_use?: string | null;
  /** The number of cards in the stock after a `draw` or a `deal`. */
  stock?: number | null;
  /** The position of the card drawn for deal, or of the cut. */
  position?: number | null;
  /** The reason for `over` or `match_over`, as in `DealResult` and `MatchEnd`. */
  reason?: string | null;
  /** The dealer's seat. */
  dealer?: number | null;
  /** For `spread` and `shuffle` the number of cards, for `deal` and `settle` the number of the deal. */
  count?: number | null;
  /** The seats that draw again, the players by seat for `seated`, or the winners for `match_over`. */
  seats?: number[] | null;
  /** The depth of the hint, for `hinted`. */
  depth?: 'numbers' | 'possible' | 'reason' | null;
  /** Whether a bot acted. */
  by_bot?: boolean | null;
}

/** The options of a table and the properties of its game. */
export interface TableInfo {
  /** The name of the game. */
  profile: string;
  /** The ids of the house rules. */
  house_rules: string[];
  /** The names of the variations in which the rules differ from the game's own. */
  variations: string[];
  /** The number of players with whom the match begins. `shared.seats` has the present ones: at a larger table a player who resigns leaves no seat. */
  players: number;
  /** The points to reach; without meaning in a match over deals. */
  target: number;
  /** Whether the lobby does not list the table. */
  private: boolean;
  /** The seconds for each turn; None: no clocks. From 86400, a day, the clock runs by the calendar, even while nobody is connected. */
  turn_s: number | null;
  /** Each player's additional seconds for the match. */
  bank_s: number;
  /** The seconds in which "Rummy!" may be called. */
  claim_s: number;
  /** The level of the table's bots. */
  level: string;
  /** Whether the seats are drawn by lot when the match begins. */
  seats_drawn: boolean;
  /** The seconds after which a bot plays for an absent person while others wait; 0: never. */
  leaver_s: number;
  /** The title of the game. */
  title: string;
  /** `target`: the match is played to a target; `deals`: over a number of deals. */
  match: string;
  /** The number of deals in a match over deals. */
  deals: number;
  /** The most deals of a match to a target; 0: no limit. */
  max_deals: number;
  /** 2 if two play against two, otherwise 0. */
  sides: number;
  /** The number of jokers in a pack. */
  jokers: number;
  /** `none`, `wild`, or `rank` if jokers are a rank of their own. */
  joker_kind: string;
  /** `holder`: cards left in hand are subtracted from their holder; `winner`: the player who goes out gets their points. */
  hand_counts: string;
  /** `none`, or the melds that count double if four cards are laid at once: `sets`, or `melds` for sets and runs. */
  doubles: string;
  /** Whether "Rummy!" may be called. */
  claim: boolean;
  /** The deepest hint that may be asked for while one person plays with bots. */
  hints: 'none' | 'numbers' | 'possible' | 'reason';
  /** The number of decisions of a deal for which hints may be asked; None: all. */
  hints_a_deal: number | null;
  /** The decision from which a finished deal is tried again; None at other tables. */
  tried: TriedFrom | null;
  /** Whether all are asked after every turn, and nobody is told whether there is something to call. */
  blind_claims: boolean;
}

/** A table as the lobby lists it. */
export interface TableSummary {
  id: string;
  created: number;
  /** The time of the last change. */
  updated: number;
  status: 'abandoned' | 'open' | 'over' | 'paused' | 'playing';
  private: boolean;
  /** The name of the game. */
  profile: string;
  /** The title of the game. */
  title: string;
  /** The ids of the house rules. */
  house_rules: string[];
  /** The names of the variations. */
  variations: string[];
  /** The points to reach, if they were chosen. */
  target: number | null;
  /** The number of deals, if it was chosen. */
  deals: number | null;
  /** The number of seats. */
  players: number;
  /** The names of the people who sit or sat there. */
  people: string[];
  /** The players at the seats. */
  seats: SeatPlate[];
  seats_free: number;
  /** Whether the players have clocks. */
  clocked: boolean;
  /** The seconds for each turn; None: no clocks. */
  turn_s: number | null;
  /** The name of the host. */
  host: string | null;
  /** Whether the guest who sent the request is one of the `people`. */
  mine: boolean;
}

/** The decision of a finished deal from which a table plays on. */
export interface TriedFrom {
  /** The table of the finished deal. */
  table: string;
  /** The number of the deal. */
  deal: number;
  /** The frame of the deal's replay before the decision. */
  frame: number;
  /** The number of the seat's turn in the deal, from 1. */
  turn: number;
  /** The seat that decides, which is the player's. */
  seat: number;
  /** Whether the cards that this seat could not see were dealt again. */
  redealt: boolean;
  /** The points of the deal as it was played, by seat. */
  points: number[];
}

/** A decision of a finished deal from which to play on. */
export interface TryAgain {
  /** The frame of the deal's replay before the decision. */
  frame: number;
  /** Whether the cards that the deciding seat could not see are dealt again. */
  redealt?: boolean;
}

/** Take back the last play of the own turn, if `you.undo` allows it. */
export interface Undo {
  type: 'undo';
  /** As in `play`. */
  asked: number;
  id: string;
}

/** New events, and the changes since the last message. */
export interface Update {
  type: 'update';
  /** The number of the last entry in the table's log. It is the same as before if the change is not in the log, for example when somebody joins. */
  number: number;
  /** The id of the message of this client that caused the update; absent if there is none. */
  re?: string | null;
  /** The new events. */
  events?: TableEvent[];
  /** The changed fields of the public state. */
  shared?: SnapshotPatch;
  /** The changed fields of the private state. */
  you?: YouPatch;
}

/** Agree, or no longer agree, to something that needs the agreement of all people who are here. */
export interface Vote {
  type: 'vote';
  /** `abandon` also needs the agreement of absent people for whom no bot plays, and `pause` does so if the player in turn is here. `resume` needs that of all who agreed to the pause, or of one person for a minute. `replace` lets a bot play for a person who has kept the table waiting for long (see `replace_in_ms` of `SeatPlate`), until that person returns. */
  on: 'abandon' | 'pause' | 'rematch' | 'replace' | 'resume';
  /** Whether to agree; false withdraws the agreement. */
  yes?: boolean;
  id: string;
}

/** Where is a card that the seat of the position does not see? */
export interface WhoQuestion {
  card: string;
  /** The seats that may have it; null: the stock. */
  holders: (number | null)[];
}

/** The private state of one viewer. */
export interface You {
  /** None for a spectator. */
  seat: number | null;
  hand: string[];
  /** The card drawn this turn. */
  drawn: string | null;
  /** The names of the legal plays. */
  may: ('call' | 'discard' | 'draw' | 'end' | 'lay' | 'let_go' | 'pass' | 'take')[];
  /** The codes of legal plays without cards to choose, by name. */
  plays: Record<string, string>;
  /** The codes of legal takes of the pile, by the number of cards. */
  takes: Record<string, string>;
  /** The codes of legal calls of "Rummy!", by the number of cards. */
  calls: Record<string, string>;
  /** The codes of legal discards, by card. */
  discards: Record<string, string>;
  /** The number of plays of this turn that can be taken back. */
  undo: number;
  /** The number of decisions of this deal for which a hint was given. */
  hints: number;
}

/** Those fields of `You` that have changed, all else left out. */
export type YouPatch = Partial<You>;
