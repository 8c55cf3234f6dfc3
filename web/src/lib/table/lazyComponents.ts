import { loadLate } from '$lib/app/locale';

/** Load a component together with its words. */
async function worded<T>(component: Promise<T>): Promise<T> {
  return (await Promise.all([component, loadLate()]))[0];
}

/** The parts of a table that are rarely needed; each is loaded on first use. */
export const lazyComponents = {
  afterDeal: () => import('$lib/table/panels/AfterDeal.svelte'),
  choices: () => import('$lib/table/hand/Choices.svelte'),
  panels: () => import('$lib/table/panels/Panels.svelte'),
  sidePanel: () => import('$lib/table/panels/SidePanel.svelte'),
  turnSummary: () => import('$lib/table/panels/TurnSummary.svelte'),
  rummyCall: () => import('$lib/table/hand/RummyCall.svelte'),
  tableClosed: () => import('$lib/table/panels/TableClosed.svelte'),
  typedPlay: () => import('$lib/table/hand/TypedPlay.svelte'),
  spread: () => import('$lib/table/board/Spread.svelte'),
  votes: () => import('$lib/table/hand/Votes.svelte'),
  chat: () => import('$lib/table/panels/Chat.svelte'),
  menu: () => worded(import('$lib/table/panels/Menu.svelte')),
  externalBots: () => worded(import('$lib/table/waiting/ExternalBots.svelte')),
  hintPanel: () => worded(import('$lib/table/panels/HintPanel.svelte')),
  keyboardHelp: () => import('$lib/table/panels/KeyboardHelp.svelte'),
  rules: () => worded(import('$lib/rules/Rules.svelte')),
  waitingRoom: () => worded(import('$lib/table/waiting/WaitingRoom.svelte')),
  scoreSheet: () => worded(import('$lib/felt/sheets/ScoreSheet.svelte')),
  matchEnd: () => worded(import('$lib/felt/sheets/MatchEnd.svelte')),
};
