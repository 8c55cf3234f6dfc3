/** The parts of a table that are seldom needed: each comes when it is. */
export const late = {
  claim: () => import('./Claim.svelte'),
  closed: () => import('./Closed.svelte'),
  typed: () => import('./Typed.svelte'),
  spread: () => import('./Spread.svelte'),
  talk: () => import('./Talk.svelte'),
  menu: () => import('./Menu.svelte'),
  bots: () => import('../pages/OwnBots.svelte'),
  keys: () => import('./Keys.svelte'),
  rules: () => import('../pages/Rules.svelte'),
  room: () => import('../pages/WaitingRoom.svelte'),
  sheet: () => import('../pages/ScoreSheet.svelte'),
  end: () => import('../pages/MatchEnd.svelte'),
};
