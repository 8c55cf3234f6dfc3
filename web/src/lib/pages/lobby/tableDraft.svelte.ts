/** The options that a guest chooses for a new table, from which the request is made. */
import { untrack } from 'svelte';

import type { LastPlay } from '$lib/app/settings.svelte';
import { newTableFields, USUAL_BANK_S, type Me, type NewTable, type Profile } from '$lib/net/protocol';
import { ofDays } from '$lib/text/days';
import { asksBank } from './clockChoices';
import { GameLevels } from './gameLevels.svelte';
import { botsRequest, playRequest } from './tableMaker.svelte';

/** The players that may join a new table. */
export type Company = 'bots' | 'friends' | 'anybody';

/** The house rule that has its own time. */
const CLAIM_RULE = 'H6';

export class TableDraft {
  readonly games: readonly Profile[];
  readonly opponents = new GameLevels();
  game = $state.raw<Profile>() as Profile;
  company = $state<Company>('friends');
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
  /** The level of bots that was chosen; null: the next opponent. */
  #level = $state<string | null>(null);
  readonly #guest: Me;
  readonly #last: LastPlay;

  constructor(games: readonly Profile[], guest: Me, last: LastPlay, company: Company) {
    this.games = games;
    this.#guest = guest;
    this.#last = last;
    this.company = company;
    this.#level = last.level;
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

  /** The names of the levels to choose from. */
  get levels(): readonly string[] {
    return this.opponents.names(this.#guest);
  }

  /** The level of bots, by default the next opponent; undefined while it is not known. */
  get level(): string | undefined {
    return this.opponents.preselected(this.#level, this.#guest);
  }

  set level(level: string) {
    this.#level = this.opponents.keeps(level);
  }

  /** Load the levels of the chosen game with the chosen number of players. */
  loadLevels(): Promise<void> {
    return this.opponents.load(this.game.name, this.players);
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
      level: this.#level,
      choices: [...this.choices],
      target: this.game.match === 'target' ? this.target : null,
      deals: this.deals,
      hints: this.hints,
      hintsADeal: this.hints === 'none' ? null : this.hintsADeal,
    };
  }

  /** Return the request for the table, once the level is known; `company` is the chosen one by default. */
  async request(company = this.company): Promise<NewTable> {
    await this.loadLevels();
    const play = { ...this.play, level: this.level ?? null };
    if (company === 'bots') return botsRequest(play);
    return {
      ...playRequest(play),
      private: company !== 'anybody',
      turn_s: this.turn,
      bank_s: asksBank(this.turn) ? this.bank : null,
      claim_s: this.asksClaim ? this.claim : null,
      seats_drawn: this.drawn,
      leaver_s: this.leaver,
    };
  }
}
