import type { AttemptResult, ServiceAnswer } from '#src/shared/answers.ts';
import type * as batchRun from '#src/server/operations/batches/batchRun.ts';
import type * as classifying from '#src/server/operations/classify.ts';
import type { Verdict } from '#src/server/operations/classify.ts';
import type { Rows, WriteTransaction } from '#src/server/operations/ports.ts';
import type { PeopleWorlds } from '#src/tests/fault-injection/people/peopleWorlds.ts';
import type { Mutation, Scene, SimulatedServer, Verdicts } from '#src/tests/fault-injection/scene.ts';

export interface Mutant {
  name: string;
  /** The promise that it breaks. */
  breaks: keyof Verdicts;
  mutation?: Mutation;
  /** Only runs in which people make batches with API keys are searched. */
  isAboutBatches?: true;
  /** The optional feature of runs of people that shows it; other runs aren't searched. */
  world?: keyof PeopleWorlds;
  /** Replaced exports, by the module's path below #src. */
  modules?: { [path: string]: (original: never) => object };
}

export const answered =
  (which: (answer: ServiceAnswer) => boolean) =>
  (attempt: AttemptResult): boolean =>
    attempt.kind === 'answer' && which(attempt);

/** Interprets some attempts wrongly. */
export const mistaking =
  (which: (attempt: AttemptResult) => boolean, verdict: Verdict) =>
  (original: typeof classifying): Partial<typeof classifying> => ({
    classify: (record, answer, now) => (which(answer.attempt) ? verdict : original.classify(record, answer, now)),
  });

/** Changes one server's access to rows. */
export const rowsAre = (change: (rows: Rows, scene: Scene, server: SimulatedServer) => Partial<Rows>): Mutation => ({
  world: (world, scene, server) => ({ ...world, rows: { ...world.rows, ...change(world.rows, scene, server) } }),
});

/** Changes reads and writes within a transaction. */
export const turnsAre = (change: (transaction: WriteTransaction) => Partial<WriteTransaction>): Mutation =>
  rowsAre((rows) => ({
    write: (work) => rows.write((transaction) => work({ ...transaction, ...change(transaction) })),
  }));

/** Treats whatever a run sent as sent by a person, so that a retry isn't compared with its batch. */
export const retriesOfPeople = (): Partial<typeof batchRun> => ({ wasSentByRun: () => false });
