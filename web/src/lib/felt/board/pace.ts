/** How long the animations of a table take, as a part of their usual time: they follow the speed of the bots. */
import type { Snapshot } from '$lib/net/protocol';

const PARTS = { relaxed: 1.25, normal: 1, fast: 0.5, at_once: 0.25 };

export const paceOf = ({ speed }: Snapshot): number => PARTS[speed ?? 'normal'];
