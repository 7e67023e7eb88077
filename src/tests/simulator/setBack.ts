import { OPERATIONS_PATH } from '#src/lib/serverPaths.ts';
import { createOperations } from '#src/operations/operations.ts';
import { createRoutes } from '#src/operations/routes.ts';
import { type Page, type Scene, alivePages } from './scene.ts';
import { actorOf, startServer } from './servers.ts';
import { serviceOf } from './wire.ts';

/** Some browser was told of the journal since the copy was made: without that nobody can know. */
export function isSeenFurther(scene: Scene): boolean {
  return witnessOf(scene) !== undefined;
}

function witnessOf(scene: Scene): Page | undefined {
  const { kept } = scene.database;
  if (kept === null) return undefined;
  return alivePages(scene).find(({ mark, account }) => account !== null && (mark?.position ?? 0) > kept.position);
}

export async function backUp({ database }: Scene): Promise<void> {
  await database.store.backUp();
  const { position } = await database.rows.facts();
  database.kept = { position, records: new Map(database.records) };
}

/** The copy takes the journal's place, and the first to ask for anything is a browser that knew it further on. */
export async function setBack(scene: Scene): Promise<void> {
  const { database } = scene;
  const page = witnessOf(scene);
  const [host] = scene.hosts;
  if (page?.account == null || page.mark === null || database.kept === null || host === undefined) return;
  await database.store.restore();
  database.records = database.kept.records;
  database.kept = null;
  scene.count('journalsSetBack');
  scene.judge.journalSetBack();
  scene.tell?.('the journal is set back');
  const server = scene.servers[0] ?? startServer(scene, host);
  const world = {
    rows: database.rows,
    service: serviceOf(scene, server),
    random: () => 0,
    newAttemptId: () => scene.name('at_'),
    strangers: false,
    neverSetBack: false,
  };
  const route = createRoutes(createOperations(world), () => 'rq_operator');
  const query = new URLSearchParams();
  const actor = actorOf(scene, server, page.account, true, 'an operator');
  await route({ method: 'GET', pathname: OPERATIONS_PATH, query, body: '', marks: [page.mark] }, actor);
  for (const { key, state } of database.records.values()) {
    if (state !== 'ready') continue;
    const row = await database.rows.byKey(key);
    if (row?.record) database.records.set(key, row.record);
  }
}
