/** The parts of a table that are seldom needed: each comes when it is. */
export const late = {
  claim: () => import('./hand/RummyCall.svelte'),
  closed: () => import('./panels/TableClosed.svelte'),
  typed: () => import('./hand/TypedPlay.svelte'),
  spread: () => import('./board/Spread.svelte'),
  talk: () => import('./panels/Chat.svelte'),
  menu: () => import('./panels/Menu.svelte'),
  bots: () => import('../pages/lobby/ExternalBots.svelte'),
  keys: () => import('./panels/KeyboardHelp.svelte'),
  rules: () => import('../pages/learn/Rules.svelte'),
  room: () => import('../pages/lobby/WaitingRoom.svelte'),
  sheet: () => import('../pages/results/ScoreSheet.svelte'),
  end: () => import('../pages/results/MatchEnd.svelte'),
};
