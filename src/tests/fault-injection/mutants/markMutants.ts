import type * as markModule from '#src/server/operations/marks.ts';
import type { JournalMark, Ports, Rows, WriteTransaction } from '#src/server/operations/ports.ts';
import type { Mutation } from '#src/tests/fault-injection/scene.ts';
import type { Mutant } from './mutant.ts';

// Mutants without one rule each about a journal that was set back, or about the one service it belongs to.

/** Replaces reads of the journal, inside and outside a transaction. */
function reading(
  change: (
    reads: Pick<WriteTransaction, 'facts'>,
  ) => Partial<Pick<WriteTransaction, 'facts' | 'hasMark' | 'isFormerId'>>,
): Mutation {
  return {
    world: (world): Ports => {
      const rows: Rows = {
        ...world.rows,
        ...change(world.rows),
        write: (work) => world.rows.write((transaction) => work({ ...transaction, ...change(transaction) })),
      };
      return { ...world, rows };
    },
  };
}

const believesPositions = reading((reads) => ({
  hasMark: async ({ position }) => position <= (await reads.facts()).position,
}));

const forgetsFormerIds = reading(() => ({ isFormerId: async () => false }));

const acceptsUnsigned = (original: typeof markModule): Partial<typeof markModule> => ({
  createMarks: (key, service) => ({
    ...original.createMarks(key, service),
    read: (text): JournalMark | null => {
      const [id = '', position = '', nonce = ''] = text.split(' ');
      return /^\d{1,18}$/.test(position) ? { id, position: BigInt(position), nonce } : null;
    },
  }),
});

const keepsNoFile: Mutation = {
  world: (world) => ({ ...world, lastMark: { read: () => [], keep: () => Promise.resolve() } }),
};

const sendsWhatIsFromBefore = reading((reads) => ({
  facts: async () => ({ ...(await reads.facts()), setBackPosition: null }),
}));

export const MARK_MUTANTS: readonly Mutant[] = [
  { name: 'a set-back told by positions', breaks: 'unnoticed', mutation: believesPositions },
  {
    name: 'a mark that nobody signed',
    breaks: 'falseSetBacks',
    modules: { 'server/operations/marks.ts': acceptsUnsigned },
  },
  { name: 'a lost history noted again and again', breaks: 'falseSetBacks', mutation: forgetsFormerIds },
  { name: 'no mark on the server’s disk', breaks: 'unnoticed', mutation: keepsNoFile },
  {
    name: 'a spelling of the host is a service of its own',
    breaks: 'unresolved',
    mutation: { spellingsAreServices: true },
  },
  { name: 'sent again after a set-back', breaks: 'unasked', mutation: sendsWhatIsFromBefore },
];
