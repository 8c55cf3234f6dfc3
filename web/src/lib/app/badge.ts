/** Show the number of tables that wait on the icon of the installed page; 0 shows none. */
export function badge(tables: number): void {
  if ('setAppBadge' in navigator) void navigator.setAppBadge(tables).catch(() => undefined);
}
