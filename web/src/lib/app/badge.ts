/** Show on the icon of the installed page how many tables wait for the guest; 0 removes the number. */
export function badge(tables: number): void {
  if ('setAppBadge' in navigator) void navigator.setAppBadge(tables).catch(() => undefined);
}
