/** The parts of a table that are rarely needed; each is loaded on first use. */
export const lazyComponents = {
  rummyCall: () => import('./hand/RummyCall.svelte'),
  tableClosed: () => import('./panels/TableClosed.svelte'),
  typedPlay: () => import('./hand/TypedPlay.svelte'),
  spread: () => import('./board/Spread.svelte'),
  votes: () => import('./panels/Votes.svelte'),
  chat: () => import('./panels/Chat.svelte'),
  menu: () => import('./panels/Menu.svelte'),
  externalBots: () => import('../pages/lobby/ExternalBots.svelte'),
  keyboardHelp: () => import('./panels/KeyboardHelp.svelte'),
  rules: () => import('../pages/learn/Rules.svelte'),
  waitingRoom: () => import('../pages/lobby/WaitingRoom.svelte'),
  scoreSheet: () => import('../pages/results/ScoreSheet.svelte'),
  matchEnd: () => import('../pages/results/MatchEnd.svelte'),
};
