import { expect, test } from 'vitest';
import { noAnswer } from './answers.ts';
import { openForm, review } from './forms.ts';
import { intentOfKind } from './intents.ts';
import { noVerdicts } from './judge.ts';
import { openPage, startOperationFrom } from './pages.ts';
import type { Mutation } from './scene.ts';
import { sceneOf } from './simulate.ts';

// Regressions from three seeds of the first design, in which a request from two tabs was executed twice. The seeds no longer
// reproduce them, so the scenarios are written out.

const REVIEWED_MS = 2_000;
const SETTLED_MS = 4 * 60 * 1_000;

/** The service executes the request, and its first response is lost. */
function losesFirstAnswer(): Mutation {
  let isFirst = true;
  return {
    world: (world, scene, server) => ({
      ...world,
      service: {
        ...world.service,
        connect: async (apiKey) => {
          const connection = await world.service.connect(apiKey);
          return {
            ...connection,
            post: async (sent) => {
              const answer = await connection.post(sent);
              if (!isFirst) return answer;
              isFirst = false;
              const lost = noAnswer('network', 50);
              scene.judge.ended(server, sent, lost);
              return lost;
            },
          };
        },
      },
    }),
  };
}

/** Two pages of one browser have the same reviewed form; Send is pressed in both, this long apart. */
async function expectOnce(kind: 'charge' | 'deposit-address', apartMs: number, mutation: Mutation = {}): Promise<void> {
  const scene = await sceneOf(1, { mutation }, {});
  const { agenda, database, hosts, accounts, profiles, servers } = scene;
  scene.faultRate = 0;
  database.skew = 0;
  for (const host of hosts) host.skew = 0;
  for (const server of servers) server.readOnly = false;
  const [account] = accounts;
  const [profile] = profiles;
  if (!account || !profile) throw new Error('There is somebody.');
  const intent = intentOfKind(scene, account, kind);
  scene.intents = [intent];
  const forms = [1, 2].map(() => {
    const page = openPage(scene, profile);
    return { page, form: openForm(scene, page, intent) };
  });
  for (const { page, form } of forms) void review(scene, page, form);
  await agenda.run(REVIEWED_MS);
  for (const { page, form } of forms) {
    expect(form.reviewed).not.toBeNull();
    startOperationFrom(scene, page, form);
    agenda.stir();
    await agenda.run(apartMs);
  }
  await agenda.run(SETTLED_MS);
  await scene.judge.close();
  expect(scene.judge.executions).toHaveLength(1);
  expect([...database.records.values()]).toHaveLength(1);
  expect(scene.judge.verdicts).toEqual(noVerdicts());
}

test.each([0, 40, 1_000])('a charge sent from two tabs %i ms apart executes once (seed 184841)', async (apartMs) => {
  await expectOnce('charge', apartMs);
});

test.each([0, 40, 1_000])(
  'a deposit address requested in two tabs %i ms apart is created once (seed 839566)',
  async (apartMs) => {
    await expectOnce('deposit-address', apartMs);
  },
);

test.each([0, 40, 1_000])(
  'a charge sent from two tabs %i ms apart executes once although the first response is lost (seed 938565)',
  async (apartMs) => {
    await expectOnce('charge', apartMs, losesFirstAnswer());
  },
);
