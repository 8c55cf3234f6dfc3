import { loadLate } from '../app/locale';

/** Load a component together with its words. */
async function worded<T>(component: Promise<T>): Promise<T> {
  return (await Promise.all([component, loadLate()]))[0];
}

/** The parts of a table that are rarely needed; each is loaded on first use. */
export const lazyComponents = {
  afterDeal: () => import('./panels/AfterDeal.svelte'),
  choices: () => import('./hand/Choices.svelte'),
  panels: () => import('./panels/Panels.svelte'),
  sidePanel: () => import('./panels/SidePanel.svelte'),
  turnSummary: () => import('./panels/TurnSummary.svelte'),
  rummyCall: () => import('./hand/RummyCall.svelte'),
  tableClosed: () => import('./panels/TableClosed.svelte'),
  typedPlay: () => import('./hand/TypedPlay.svelte'),
  spread: () => import('./board/Spread.svelte'),
  votes: () => import('./hand/Votes.svelte'),
  chat: () => import('./panels/Chat.svelte'),
  menu: () => worded(import('./panels/Menu.svelte')),
  externalBots: () => worded(import('../pages/lobby/ExternalBots.svelte')),
  hintPanel: () => worded(import('./panels/HintPanel.svelte')),
  keyboardHelp: () => import('./panels/KeyboardHelp.svelte'),
  rules: () => worded(import('../pages/learn/Rules.svelte')),
  waitingRoom: () => worded(import('../pages/lobby/WaitingRoom.svelte')),
  scoreSheet: () => worded(import('../pages/results/ScoreSheet.svelte')),
  matchEnd: () => worded(import('../pages/results/MatchEnd.svelte')),
};
