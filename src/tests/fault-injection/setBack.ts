import { type Scene, alivePages } from './scene.ts';
import { kill } from './servers.ts';

/** Somebody, or the disk of a server, saw a write that the copy lacks: without that nobody can know. */
export function isSeenFurther(scene: Scene): boolean {
  const { kept } = scene.database;
  if (kept === null) return false;
  const isFurther = (text: string | null): boolean =>
    text !== null && (scene.marks.read(text)?.position ?? 0n) > kept.position;
  return alivePages(scene).some(({ mark, account }) => account !== null && isFurther(mark));
}

export async function backUp({ database, judge }: Scene): Promise<void> {
  await database.store.backUp();
  const { position } = await database.rows.facts();
  database.kept = { position, records: new Map(database.records), setBacksFound: judge.setBacksFound() };
}

/**
 * The copy takes the journal's place, and the servers are started anew: on the machines that wrote the part that is lost, or
 * on others. Whoever then comes first may know nothing of it, and write past what the others saw.
 */
export async function setBack(scene: Scene): Promise<void> {
  const { database, random, hosts } = scene;
  const { kept } = database;
  if (kept === null || !isSeenFurther(scene)) return;
  for (const server of [...scene.servers]) kill(scene, server, 'serversRestored');
  const marks = hosts.flatMap(({ wrote }) => (wrote === null ? [] : [scene.marks.write(wrote)]));
  const seen = alivePages(scene).flatMap(({ mark, profile }) => [mark, profile.cookie?.mark ?? null]);
  scene.lostMarks.clear();
  for (const text of [...marks, ...seen]) {
    if (text !== null && (scene.marks.read(text)?.position ?? 0n) > kept.position) scene.lostMarks.add(text);
  }
  await database.store.restore();
  for (const text of scene.lostMarks) {
    const { id } = scene.marks.read(text) ?? { id: '' };
    // Of a history that was lost before, and noted in this copy.
    if (await database.rows.isFormerId(id)) scene.lostMarks.delete(text);
  }
  const { position } = database.latest ?? { position: 0n };
  database.records = kept.records;
  database.kept = null;
  database.latest = null;
  scene.count('journalsSetBack');
  scene.judge.journalSetBack(kept.setBacksFound);
  scene.tell?.('the journal is set back');
  if (random.chance(0.6)) {
    scene.count('markFilesLost');
    for (const host of hosts) Object.assign(host, { mark: null, wrote: null });
  }
  if (!random.chance(0.5)) return;
  // Other accounts write meanwhile.
  scene.count('journalsOvertaken');
  for (let at = kept.position; at <= position; at += 1n) await database.rows.write(async () => undefined);
}
