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
  | Next
  | Vote
  | Resign
  | Chat
  | Feel
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
  /** Why there are no plays. */
  reason?: Reason | null;
  /** About the `turn`, if it is one's own: why plays are not open, by name as in `you.may`; by card, why that card alone may not be discarded. */
  refused?: Record<string, Reason>;
  /** About the `position`: what the seat sees, as a position file. */
  position?: string;
  /** All plays of the deal as everybody saw them, after the upcard as its discard. */
  past?: string[];
  /** All that may be played. */
  legal?: string[];
  /** The number of the decision that they answer. */
  asked?: number;
}

/**
 * Ask for advice that the rules give: nothing at the table changes.
 *
 * `turn`: suggested plays, the hand in groups, and why other plays are not open; `cards`: what these cards
 * of the hand can do, or why not; `take`: what taking `count` cards would bring, or why it may not be;
 * `position`: all that this seat may know, for a bot.
 */
export interface Ask {
  type: 'ask';
  about: 'cards' | 'position' | 'take' | 'turn';
  cards?: string[];
  count?: number;
  id: string;
}

/**
 * The token with which a bot connects to this table, as `Authorization: Bearer TOKEN`, and plays.
 *
 * It is told once. Whoever has it plays the seat, until it is taken back or another one is made.
 */
export interface BotToken {
  seat: number;
  token: string;
}

/**
 * The server closes this connection.
 *
 * `restart`: come back soon; `elsewhere`: joined in another window; `slow`: too much lay unread; `revoked`:
 * the bot's token holds no longer.
 */
export interface Bye {
  type: 'bye';
  reason: 'elsewhere' | 'restart' | 'revoked' | 'slow';
}

/** Cards of the hand that belong together: a meld (`kind` run, set or jokers), a lay-off, or the rest. */
export interface CardGroup {
  cards: string[];
  kind: 'jokers' | 'lay' | 'rest' | 'run' | 'set';
  points: number;
  meld: number | null;
}

/** Say something to the table. */
export interface Chat {
  type: 'chat';
  text: string;
  id: string;
}

/** A line of chat. */
export interface ChatLine {
  type: 'chat';
  seat: number | null;
  name: string;
  text: string;
}

/** A "Rummy!" that `seats` may call within the time. */
export interface ClaimWindow {
  /** Those who have not let it go. */
  seats: number[];
  left_ms: number;
  total_ms: number;
  /** The takes of the pile that would be claims. */
  counts: number[];
}

/** The clock of the seat that is to decide: its time for this turn, then its bank. */
export interface Clock {
  seat: number;
  turn_ms: number;
  bank_ms: number;
  running: boolean;
}

/** A finished deal: by seat in `points`, by account in `accounts` and `totals`. */
export interface DealResult {
  number: number;
  dealer: number;
  reason: string;
  out: number | null;
  points: number[];
  accounts: number[];
  totals: number[];
  names: string[];
}

/**
 * The pack that was spread for the draw: what its order came from, and which places and cards were drawn.
 *
 * Places count from 0; the rest is as in `ShuffleProof`.
 */
export interface DrawProof {
  shuffle: number;
  context: string;
  commitment: string;
  seed: string;
  seats: string[];
  pack: string[];
  drawn: [number, string][];
}

/** An emote that a seat shows. */
export interface EmoteShown {
  type: 'emote';
  seat: number;
  emote: 'good-luck' | 'hello' | 'hurry' | 'laugh' | 'oops' | 'thanks' | 'well-played' | 'wow';
}

/**
 * Why a request was refused: a stable code, and a sentence in English for logs and developers.
 *
 * `retry_s`: after how many seconds it may be tried again, where that helps. `key`: the field at fault, if
 * one is. `parts`: as in a [Reason](#reason).
 */
export interface Failure {
  code: string;
  message: string;
  retry_s?: number | null;
  key?: string | null;
  parts?: ReasonParts | null;
}

/** The shuffle in progress or dealt from. */
export interface Fairness {
  shuffle: number;
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The seats that have added a seed of their own. */
  given: number[];
  /** None until the deal ends; that of a pack spread for the draw is in the replay of a finished deal. */
  seed: string | null;
  /** What the derivation of the order begins with. */
  context: string;
}

/** Show an emote. */
export interface Feel {
  type: 'emote';
  emote: 'good-luck' | 'hello' | 'hurry' | 'laugh' | 'oops' | 'thanks' | 'well-played' | 'wow';
  id: string;
}

/**
 * Whether the server can do its work, and how this request looks to it, which shows a proxy's mistakes.
 *
 * `store` is `ok`, or the code of what keeps moves from being kept; `forwarded_...` are the proxy's headers
 * as they came.
 */
export interface Health {
  status: 'failing' | 'ok';
  store: string;
  version: string;
  scheme: string;
  host: string;
  client: string | null;
  forwarded_proto: string | null;
  forwarded_host: string | null;
  forwarded_for: string | null;
}

/** A house rule that a profile can be played with. */
export interface HouseRuleInfo {
  id: string;
  title: string;
}

/** The first message of a connection: `last` is the number of the last update seen, 0 for none. */
export interface Join {
  type: 'join';
  last?: number;
  id: string;
}

/** A seat whose token is taken back. */
export interface LentSeat {
  seat: number;
}

/**
 * How the match ended.
 *
 * `winners`, `quitters`, payers and payees are players: who sat at that seat when the match began; `names`
 * has them. `rows` are the players of each account, those who left last, and `totals` and `final` (with the
 * winner's bonus in it) go by these rows. A payment is payers, payees, points.
 */
export interface MatchEnd {
  reason: string;
  winners: number[];
  quitters: number[];
  drawn: boolean;
  bonus: number;
  names: string[];
  rows: number[][];
  totals: number[];
  final: number[];
  payments: [number[], number[], number][];
}

/**
 * The guest who asks; `levels` are the levels of bots there are, weakest first.
 *
 * `level_usual` is the one offered first, and a new table's where nothing else is said.
 */
export interface Me {
  id: string;
  name: string;
  guest_since: number;
  levels: string[];
  level_usual: string;
}

/** A meld on the table, its cards in order, each with the seat that laid it and scores it (R-LAY-3). */
export interface MeldPlate {
  number: number;
  kind: 'jokers' | 'run' | 'set';
  owner: number;
  cards: PlacedCard[];
  at_once: boolean;
}

/** A seat that is to be played by a bot from outside, and what that bot is called there. */
export interface NewBot {
  seat: number;
  name?: string;
}

/** A guest's own choice of a name. */
export interface NewName {
  name: string;
}

/**
 * A table to be made. What is None is as usual for the profile.
 *
 * `bots`: a bot's level, or None, by seat; shorter than the table: the rest is empty. `start`: the asker
 * takes the first empty seat, and the match begins if every other seat has its bot (empty ones get one of
 * `level`).
 */
export interface NewTable {
  profile: string;
  house_rules?: string[];
  players?: number | null;
  target?: number | null;
  private?: boolean;
  turn_s?: number | null;
  bank_s?: number | null;
  claim_s?: number | null;
  level?: string | null;
  seats_drawn?: boolean | null;
  leaver_s?: number | null;
  bots?: (string | null)[];
  start?: boolean;
}

/** The table that was made. */
export interface NewTableId {
  id: string;
}

/** Ready for the next deal; it begins when all people here are, or one is and a minute has passed. */
export interface Next {
  type: 'next';
  id: string;
}

/** Answer a draw for deal, or a cut, with a position; `asked` as in `Play`. */
export interface Pick {
  type: 'pick';
  asked: number;
  position: number;
  id: string;
}

/** Ask whether the server is there. */
export interface Ping {
  type: 'ping';
  id: string;
}

/** A card in a meld: `place` is what a wild joker stands for, or tells the low ace from the high one. */
export interface PlacedCard {
  card: string;
  place: string | null;
  seat: number;
  points: number;
}

/** Make a play; `asked` is the table's when the player decided, so that a stale play is refused. */
export interface Play {
  type: 'play';
  asked: number;
  play: string;
  id: string;
}

/** The server is there. */
export interface Pong {
  type: 'pong';
  re: string;
}

/**
 * A game of the family. `differs` are the ids of its rules that 500 Rum does not have alike.
 *
 * `players` are the numbers of players it is for, `players_usual` the one offered first. `match` is `target`
 * or `deals`; `joker_kind` is `none`, `wild` or `rank`.
 */
export interface Profile {
  name: string;
  aliases: string[];
  title: string;
  summary: string;
  source: string;
  players: number[];
  players_usual: number;
  sides: number;
  target: number;
  match: string;
  deals: number;
  jokers: number;
  joker_kind: string;
  house_rules: HouseRuleInfo[];
  differs: string[];
}

/**
 * Why something is refused: a stable code, the rule's id, the card at fault, what else there is to say.
 *
 * `message` says it in English, for logs; those in the answer about a `turn` have none.
 */
export interface Reason {
  code: string;
  message?: string;
  rule?: string;
  card?: string | null;
  parts?: ReasonParts | null;
}

/**
 * What a refusal's sentence speaks of, beside the card at fault; each code has parts of its own.
 *
 * Cards are written `8C`, a joker that stands for another card `JK=6S`.
 */
export interface ReasonParts {
  /** The cards it is about: those that were to be laid, or those in the pile. */
  cards?: string[];
  /** As much of a set as there would be. */
  set?: string[];
  /** As much of a run as there would be. */
  run?: string[];
  /** What a run lacks. */
  missing?: string[];
  /** Each of the cards that a meld takes. */
  takes?: string[];
  /** The card that a joker would stand for. */
  place?: string | null;
  /** The rank of the other cards: `6`, `K`. */
  rank?: string | null;
  /** The suit of the other cards: `S`, `H`, `D` or `C`. */
  suit?: string | null;
  /** A meld's number as people count: from 1. */
  meld?: number | null;
  /** How many melds there are. */
  melds?: number | null;
  /** How often the player holds the card. */
  held?: number | null;
  /** How often the stock was made anew. */
  times?: number | null;
  /** How many were asked for. */
  count?: number | null;
  /** How many there may be at most. */
  most?: number | null;
  /** For how many players the game is. */
  players?: number[];
  /** What to do instead, by name: `draw_or_take`, `use_or_pass` and the like. */
  advice?: string | null;
  /** Which of the code's sentences: `run`, `set`, `jokers`, `wild`, `low` and the like. */
  kind?: string | null;
  /** What was typed there; empty at the end of the line. */
  found?: string;
  /** What should have been typed, by name: `play`, `card`, `count` and the like. */
  wanted?: string | null;
  /** The play that was typed, by its English name. */
  verb?: string | null;
  /** What could be typed instead. */
  plays?: string[];
}

/** A message that changed nothing, and why. */
export interface Refused {
  type: 'refused';
  re: string | null;
  reason: Reason;
  /** Of a typed play: where the fault is, from 1. */
  column?: number | null;
}

/** A finished deal, to be stepped through from any seat; `draw` is the match's draw for deal. */
export interface Replay {
  table: string;
  deal: number;
  options: TableInfo;
  names: string[];
  draw: DrawProof | null;
  fairness: ShuffleProof | null;
  frames: ReplayFrame[];
  sheet: ScoreSheet;
}

/** A step of a replay: what happened, what changed on the table, and every hand after it. */
export interface ReplayFrame {
  event: TableEvent | null;
  shared: SnapshotPatch;
  hands: string[][];
}

/** Give up the match. */
export interface Resign {
  type: 'resign';
  id: string;
}

/** A rule: `id` and `params` for the page's words, `rule` its place in the rulebook, `text` English. */
export interface RuleSentence {
  heading: string;
  id: string;
  params: Record<string, unknown>;
  rule: string;
  text: string;
}

/** Make a play that was typed, in the notation: `meld 6S 7S 8S`. */
export interface Say {
  type: 'say';
  asked: number;
  text: string;
  id: string;
}

/** The score sheet of one deal, as on paper: lines by seat, and what they add up to. */
export interface ScoreSheet {
  number: number;
  reason: string;
  out: number | null;
  lines: ScoreSheetLine[][];
  points: number[];
  accounts: number[];
  totals: number[];
}

/**
 * A line of the score sheet of one seat.
 *
 * `kind`: `meld` (laid anew), `lay` (on `owner`'s `meld_kind`), `hand` (held at the end, `points` is what
 * they cost, 0 or less), `collected` (from the others' hands), `bonus` (going out). `each` are the cards'
 * own points.
 */
export interface ScoreSheetLine {
  kind: 'bonus' | 'collected' | 'hand' | 'lay' | 'meld';
  cards: PlacedCard[];
  each: number[];
  points: number;
  doubled: boolean;
  owner: number | null;
  meld_kind: string | null;
}

/** The host seats a bot of this level, or, for None, empties the seat. */
export interface SeatBot {
  type: 'seat_bot';
  seat: number;
  level?: string | null;
  id: string;
}

/** Who sits at a seat. */
export interface SeatPlate {
  kind: 'bot' | 'empty' | 'person';
  name: string;
  /** A bot's level. */
  level: string | null;
  /** Whether this person is connected. */
  here: boolean;
  /** After this time a bot plays for this absent person, 0: it does now; None: none will. */
  bot_in_ms: number | null;
  /** Whether this person wants the next deal. */
  ready: boolean;
  /** After this time the others may vote to `replace` this person, who is absent and keeps a table without a clock waiting, by a bot; 0: they may now, None: they may not. */
  replace_in_ms: number | null;
  /** Whether the player came with a bot's token. */
  robot: boolean;
}

/**
 * This browser's part in a shuffle: up to 32 bytes in hexadecimal.
 *
 * `shuffle` is the number of the commitment it answers. `cut`, per mille of the pack, is where the seat
 * would cut if it is the one that cuts; None: it wants to be asked.
 */
export interface Seed {
  type: 'seed';
  shuffle: number;
  value: string;
  cut?: number | null;
  id: string;
}

/**
 * Everything that the order of a deck came from, for checking; it is told once the deal has ended.
 *
 * `context` binds it to the table and to the number of the shuffle. `seats`: what each seat added, in
 * hexadecimal, empty for none. `pack` is the pack in its canonical order, `cut` where it was cut and
 * `cut_by` who or what chose that, `deck` the order that was dealt from, `restocks` the new stocks in order.
 */
export interface ShuffleProof {
  shuffle: number;
  context: string;
  commitment: string;
  seed: string;
  seats: string[];
  cut: number;
  cut_by: string;
  pack: string[];
  deck: string[];
  restocks: string[][];
}

/** Take an empty seat, or one's own again; None: the first empty one. */
export interface Sit {
  type: 'sit';
  seat?: number | null;
  id: string;
}

/**
 * What everybody at a table may see, spectators too.
 *
 * Lists by seat run clockwise from seat 0, as people sit now: a draw for partners seats them again, and a
 * player who resigns from a larger table leaves no seat.
 */
export interface Snapshot {
  status: 'abandoned' | 'open' | 'over' | 'paused' | 'playing';
  /** The number of the decision in progress; plays quote it. */
  asked: number;
  /** `seats`: the match has not begun; `next`: the score sheet is read. */
  waiting_for: 'claim' | 'cut' | 'draw' | 'next' | 'over' | 'play' | 'seats' | 'shuffle';
  /** The seat that alone has to decide. */
  actor: number | null;
  seats: SeatPlate[];
  host: number | null;
  /** How many look on without a seat. */
  watching: number;
  /** By what is voted on, the seats that agree. */
  votes: Record<string, number[]>;
  clock: Clock | null;
  /** What each seat had left in its bank when its clock last stood, in ms; empty without clocks. */
  banks: number[];
  claim: ClaimWindow | null;
  fairness: Fairness | null;
  /** The id of the table at which the same people play again. */
  rematch: string | null;
  /** The number of the deal on the table, or else of the next one; 0 before the match. */
  deal: number;
  /** Who deals the deal in progress, and while a sheet is read the next one. */
  dealer: number | null;
  /** The seat that keeps the score, where the rules say who does. */
  scorer: number | null;
  /** By seat, the cards drawn for deal. */
  drawn: string[][];
  /** Where the spread pack can still be drawn from, or, for a cut, the first and the last position. */
  positions: number[];
  /** Points of the match by seat. */
  totals: number[];
  /** Points of the match by account: by side where there are sides, else by seat. */
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
  hand_sizes: number[];
  /** By seat, the cards taken from the pile and still held. */
  known: string[][];
  /** The discard pile, oldest card first. */
  pile: string[];
  /** How many cards are in the stock. */
  stock: number;
  /** How often the stock was made again since a card was last laid. */
  restocks: number;
  melds: MeldPlate[];
  /** The taken card that must be used now. */
  must_use: string | null;
  /** The cards taken with it. */
  taken: string[];
  /** The card that may not be discarded this turn. */
  banned: string | null;
  /** Whether the player in turn began it without a card. */
  floater: boolean;
  /** By seat, the points on the table. */
  laid: number[];
  /** How many passed in a row. */
  passes: number;
  /** All hands once the deal is over (D22), else None. */
  hands: string[][] | null;
}

/** Those fields of `Snapshot` that have changed, all else left out. */
export type SnapshotPatch = Partial<Snapshot>;

/** Leave one's seat before the match begins. */
export interface Stand {
  type: 'stand';
  id: string;
}

/** The host begins the match; empty seats are filled with bots of the table's level. */
export interface Start {
  type: 'start';
  id: string;
}

/**
 * A meld or lay-off that could be made: its code, its cards, what it scores, and where it goes.
 *
 * `fourth`: it lays three of a rank while the fourth is in hand, and four at once would double. `then`: for
 * a take, the best use of the card.
 */
export interface SuggestedPlay {
  play: string;
  kind: 'call' | 'lay' | 'meld' | 'take';
  cards: PlacedCard[];
  points: number;
  doubled?: boolean;
  meld?: number | null;
  owner?: number | null;
  meld_kind?: string | null;
  fourth?: boolean;
  count?: number | null;
  then?: SuggestedPlay | null;
}

/**
 * The whole table as this viewer may see it, in answer to `join`.
 *
 * `missed` are the events since the client's last number where the server still has them all (`gap`
 * true), else the latest of the present deal, and the client begins anew. `chat` are the last lines.
 */
export interface Sync {
  type: 'sync';
  re: string;
  table: string;
  number: number;
  gap: boolean;
  missed: TableEvent[];
  options: TableInfo;
  shared: Snapshot;
  you: You;
  chat: ChatLine[];
}

/**
 * One thing that happened; `number` is that of its entry in the table's log, and never falls.
 *
 * `kind` names it: before the match `sat`, `stood`, `bot`, `began`; the draw `spread`, `draw_for_deal`,
 * `draw_again`, `seated`; the deal `shuffle`, `cut`, `deal`; a turn `draw`, `restock`, `take`, `call`,
 * `meld`, `lay`, `discard`, `pass`, `let_go`, `end`, `float`, `undone`; its end `over`, `settle`,
 * `match_over`, `resign`; the table `paused`, `resumed`, `replaced`, `abandoned`, `rematch`. The rest
 * belongs to the kind; `seat` is where that player sat then, `name` stands with what is told by name.
 */
export interface TableEvent {
  number: number;
  kind: string;
  seat?: number | null;
  name?: string | null;
  card?: string | null;
  cards?: string[] | null;
  laid?: PlacedCard[] | null;
  meld?: number | null;
  owner?: number | null;
  meld_kind?: string | null;
  points?: number | null;
  doubled?: boolean | null;
  must_use?: string | null;
  stock?: number | null;
  position?: number | null;
  reason?: string | null;
  dealer?: number | null;
  count?: number | null;
  seats?: number[] | null;
  by_bot?: boolean | null;
}

/**
 * How a table was made; `target` is the rule set's own where the match goes by deals.
 *
 * `players` is for how many: who sits there now is in `shared.seats`, for one who resigns from a larger
 * table leaves no seat.
 */
export interface TableInfo {
  profile: string;
  house_rules: string[];
  players: number;
  target: number;
  private: boolean;
  turn_s: number | null;
  bank_s: number;
  claim_s: number;
  level: string;
  seats_drawn: boolean;
  leaver_s: number;
  title: string;
  match: string;
  deals: number;
  sides: number;
  jokers: number;
  joker_kind: string;
  hand_counts: string;
  doubles: string;
  claim: boolean;
}

/**
 * A table as the lobby lists it. `people` are the names of those who sit or sat there, `mine`: the asker
 * is one.
 *
 * `seats` tell who sits where, as of the table's last change; `host` is the name of who made it.
 */
export interface TableSummary {
  id: string;
  created: number;
  updated: number;
  status: 'abandoned' | 'open' | 'over' | 'paused' | 'playing';
  private: boolean;
  profile: string;
  title: string;
  players: number;
  people: string[];
  seats: SeatPlate[];
  seats_free: number;
  clocked: boolean;
  host: string | null;
  mine: boolean;
}

/** Take back the last play of one's turn, where `you.undo` allows it. */
export interface Undo {
  type: 'undo';
  asked: number;
  id: string;
}

/**
 * What has just happened and what has changed by it.
 *
 * `re` is this client's message that brought it about; `number` is that of the last entry in the table's
 * log, the same as before where nothing went into the log (somebody came, voted, is being waited for).
 */
export interface Update {
  type: 'update';
  number: number;
  re?: string | null;
  events?: TableEvent[];
  shared?: SnapshotPatch;
  you?: YouPatch;
}

/**
 * Agree, or no longer agree, to something that all people who are here must agree to.
 *
 * To `abandon` the match those who are away must agree too, until a bot plays for them; so to `pause` in a
 * turn of one who is here. To `resume` all who agreed to the pause must agree, or one for a minute.
 * `replace` has a bot play for who has kept the table waiting for long, see `SeatPlate`, until the return.
 */
export interface Vote {
  type: 'vote';
  on: 'abandon' | 'pause' | 'rematch' | 'replace' | 'resume';
  yes?: boolean;
  id: string;
}

/** What only this viewer may see. */
export interface You {
  /** None for a spectator. */
  seat: number | null;
  hand: string[];
  /** The card drawn this turn. */
  drawn: string | null;
  /** Which plays are open. */
  may: ('call' | 'discard' | 'draw' | 'end' | 'lay' | 'let_go' | 'pass' | 'take')[];
  /** The plays without cards to choose, by name. */
  plays: Record<string, string>;
  /** The takes of the pile, by the number of cards. */
  takes: Record<string, string>;
  /** The calls of "Rummy!", by the number of cards. */
  calls: Record<string, string>;
  /** The discards, by card. */
  discards: Record<string, string>;
  /** How many plays of this turn can be taken back. */
  undo: number;
}

/** Those fields of `You` that have changed, all else left out. */
export type YouPatch = Partial<You>;
