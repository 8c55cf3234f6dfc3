// A boardgame.io server with a game as like ours as it allows: four players draw, take from the pile, lay sets and
// runs, discard. bench/load.py starts it (PORT) and plays at it with the client that plays at our server.
'use strict';

const { Server } = require('boardgame.io/server');
const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

const RANKS = 'A23456789TJQK';
const PACK = [...'SHDC'].flatMap((suit) => [...RANKS].map((rank) => rank + suit));
const points = (card) => ('A' === card[0] ? 15 : 'TJQK'.includes(card[0]) ? 10 : RANKS.indexOf(card[0]) + 1);

function deal(random, scores) {
  const pack = random.Shuffle(PACK);
  const players = {};
  for (let seat = 0; seat < 4; seat++) players[seat] = { hand: pack.splice(0, 7) };
  const pile = pack.splice(0, 1);
  return { secret: { stock: pack }, players, pile, stock: pack.length, melds: [], drawn: false, scores, deals: 0 };
}

function isMeld(cards) {
  if (cards.length < 3) return false;
  if (cards.every((card) => card[0] === cards[0][0])) return cards.length <= 4;
  const places = cards.map((card) => RANKS.indexOf(card[0])).sort((a, b) => a - b);
  return cards.every((card) => card[1] === cards[0][1]) && places.every((place, k) => k === 0 || place === places[k - 1] + 1);
}

function finish(G, random) {
  const scores = G.scores.map((score, seat) => score - G.players[seat].hand.reduce((sum, card) => sum + points(card), 0));
  for (const meld of G.melds) for (const card of meld.cards) scores[meld.owner] += points(card);
  const deals = G.deals + 1;
  Object.assign(G, deal(random, scores), { deals });
}

const moves = {
  draw: ({ G, playerID }) => {
    if (G.drawn || !G.secret.stock.length) return INVALID_MOVE;
    G.players[playerID].hand.push(G.secret.stock.pop());
    G.stock = G.secret.stock.length;
    G.drawn = true;
  },
  take: ({ G, playerID }, count) => {
    if (G.drawn || !(count >= 1) || count > G.pile.length) return INVALID_MOVE;
    G.players[playerID].hand.push(...G.pile.splice(G.pile.length - count));
    G.drawn = true;
  },
  meld: ({ G, playerID }, cards) => {
    const hand = G.players[playerID].hand;
    if (!G.drawn || !Array.isArray(cards) || !isMeld(cards) || !cards.every((card) => hand.includes(card))) return INVALID_MOVE;
    G.players[playerID].hand = hand.filter((card) => !cards.includes(card));
    G.melds.push({ owner: Number(playerID), cards });
  },
  discard: ({ G, playerID, random, events }, card) => {
    const hand = G.players[playerID].hand;
    if (!G.drawn || !hand.includes(card)) return INVALID_MOVE;
    hand.splice(hand.indexOf(card), 1);
    G.pile.push(card);
    G.drawn = false;
    if (!hand.length || !G.secret.stock.length) finish(G, random);
    events.endTurn();
  },
};

const rummy = {
  name: 'rummy',
  minPlayers: 4,
  maxPlayers: 4,
  setup: ({ random }) => deal(random, [0, 0, 0, 0]),
  playerView: PlayerView.STRIP_SECRETS,
  disableUndo: true,
  moves: Object.fromEntries(Object.entries(moves).map(([name, move]) => [name, { move, client: false }])),
};

const server = Server({ games: [rummy], origins: [/127\.0\.0\.1/] });
server.run({ port: Number(process.env.PORT), callback: () => console.log('ready') });
