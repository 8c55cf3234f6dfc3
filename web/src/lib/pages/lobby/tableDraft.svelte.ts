/** The options that a guest chooses for a new table, from which the request is made. */
import { untrack } from 'svelte';

import type { LastPlay } from '$lib/app/settings.svelte';
import { newTableFields, USUAL_BANK_S, type Me, type NewTable, type Profile } from '$lib/net/protocol';
import { ofDays } from '$lib/text/days';
import { asksBank } from './clockChoices';
import { botsRequest, playRequest } from './tableMaker.svelte';

/** The players that may join a new table. */
export type Company = 'bots' | 'friends' | 'anybody';

/** The house rule that has its own time. */
const CLAIM_RULE = 'H6';

export class TableDraft {
  readonly games: readonly Profile[];
  readonly levels: readonly string[];
  game = $state.raw<Profile>() as Profile;
  company = $state<Company>('friends');
  level = $state('');
  /** Seconds for a turn; null: no clock. */
  turn = $state<number | null>(null);
  /** Each player's additional seconds for the match (the bank). */
  bank = $state<number>(USUAL_BANK_S);
  /** House rules and variations by id. */
  choices = $state.raw<readonly string[]>([]);
  target = $state<number | null>(null);
  deals = $state<number | null>(null);
  /** Seconds in which "Rummy!" may be called. */
  claim = $state<number>(newTableFields.claim_s.usual);
  /** Seconds after which a bot plays for a player that left. */
  leaver = $state<number>(newTableFields.leaver_s.usual);
  /** Whether seats are drawn by lot. */
  drawn = $state(false);
  /** How deep hints may go where one plays with bots alone. */
  hints = $state<LastPlay['hints']>('none');
  /** The number of decisions of a deal for which hints are allowed; null: all. */
  hintsADeal = $state<number | null>(null);
  #players = $state<number | null>(null);
  readonly #last: LastPlay;

  constructor(games: readonly Profile[], { levels, level_usual }: Me, last: LastPlay, company: Company) {
    this.games = games;
    this.levels = levels;
    this.#last = last;
    this.company = company;
    this.level = last.level !== null && levels.includes(last.level) ? last.level : level_usual;
    this.#players = last.players;
    this.hints = last.hints;
    this.hintsADeal = last.hintsADeal;
    untrack(() => this.choose(games.find(({ name }) => name === last.profile) ?? games[0]!));
  }

  /** Choose a game. The game played last keeps its options, others have the usual ones. */
  choose(game: Profile): void {
    const { profile, choices, target, deals } = this.#last;
    const again = game.name === profile;
    this.game = game;
    this.choices = again ? [...choices] : [];
    this.target = again ? target : null;
    this.deals = again ? deals : null;
  }

  /** The number of players: the chosen number if the game allows it. */
  get players(): number {
    const wanted = this.#players;
    return wanted !== null && this.game.players.includes(wanted) ? wanted : this.game.players_usual;
  }

  set players(players: number) {
    this.#players = players;
  }

  /** Whether the time for calling "Rummy!" can be chosen: by a clock of days it is as long as a turn. */
  get asksClaim(): boolean {
    return this.company !== 'bots' && this.choices.includes(CLAIM_RULE) && !ofDays(this.turn);
  }

  /** The choices that are stored as the next defaults. */
  get play(): LastPlay {
    return {
      profile: this.game.name,
      players: this.players,
      level: this.level,
      choices: [...this.choices],
      target: this.game.match === 'target' ? this.target : null,
      deals: this.deals,
      hints: this.hints,
      hintsADeal: this.hints === 'none' ? null : this.hintsADeal,
    };
  }

  get request(): NewTable {
    if (this.company === 'bots') return botsRequest(this.play);
    return {
      ...playRequest(this.play),
      private: this.company !== 'anybody',
      turn_s: this.turn,
      bank_s: asksBank(this.turn) ? this.bank : null,
      claim_s: this.asksClaim ? this.claim : null,
      seats_drawn: this.drawn,
      leaver_s: this.leaver,
    };
  }
}
