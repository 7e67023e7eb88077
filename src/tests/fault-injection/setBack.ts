import { type Scene, alivePages } from './scene.ts';
import { kill } from './servers.ts';

/** Whether a browser has a mark of a write that the copy lacks: then a set-back can be noticed even without the disks' marks. */
export function isSeenFurther(scene: Scene): boolean {
  const { backup } = scene.database;
  if (backup === null) return false;
  const isFurther = (text: string | null): boolean =>
    text !== null && (scene.marks.read(text)?.position ?? 0n) > backup.position;
  return alivePages(scene).some(({ mark, account }) => account !== null && isFurther(mark));
}

export async function backUp({ database, judge }: Scene): Promise<void> {
  await database.store.backUp();
  const { position } = await database.rows.facts();
  database.backup = {
    position,
    records: new Map(database.records),
    batches: new Map(database.batches),
    setBacksFound: judge.setBacksFound(),
  };
}

/**
 * Replaces the journal by the copy and restarts the servers, on the machines that wrote the lost part or on others. The first
 * to use the journal may not notice, and write beyond the position that others saw.
 */
export async function setBack(scene: Scene): Promise<void> {
  const { database, random, hosts } = scene;
  const { backup } = database;
  if (backup === null || !isSeenFurther(scene)) return;
  for (const server of [...scene.servers]) kill(scene, server, 'serversRestored');
  const marks = hosts.flatMap(({ latestKnownWrite }) =>
    latestKnownWrite === null ? [] : [scene.marks.write(latestKnownWrite)],
  );
  const browserMarks = alivePages(scene).flatMap(({ mark, profile }) => [mark, profile.cookie?.mark ?? null]);
  scene.lostMarks.clear();
  for (const text of [...marks, ...browserMarks]) {
    if (text !== null && (scene.marks.read(text)?.position ?? 0n) > backup.position) scene.lostMarks.add(text);
  }
  await database.store.restore();
  for (const text of scene.lostMarks) {
    const { id } = scene.marks.read(text) ?? { id: '' };
    // The mark is from a history that was lost earlier, as this copy has noted.
    if (await database.rows.isFormerId(id)) scene.lostMarks.delete(text);
  }
  const { position } = database.latest ?? { position: 0n };
  database.records = backup.records;
  database.batches = backup.batches;
  database.backup = null;
  database.latest = null;
  scene.count('journalsSetBack');
  scene.judge.journalSetBack(backup.setBacksFound);
  scene.tell?.('the journal is set back');
  if (random.chance(0.6)) {
    scene.count('markFilesLost');
    for (const host of hosts) Object.assign(host, { mark: null, latestKnownWrite: null });
  }
  if (!random.chance(0.5)) return;
  // Other accounts write in the meantime.
  scene.count('journalsOvertaken');
  for (let at = backup.position; at <= position; at += 1n) await database.rows.write(async () => undefined);
}
