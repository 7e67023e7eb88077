import { type Attention, type AttentionInput, attentionOf, isGuess, isLikely } from './attention.ts';

interface HomeAttentionInput extends AttentionInput {
  /** The ledger, which shows usual durations and times of failure, is still being read. */
  isMeasuring: boolean;
}

/** What Home lists. Until the ledger is read, only what needs neither usual durations nor times of failure is certain. */
export function homeAttention({ isMeasuring, ...input }: HomeAttentionInput): {
  attention: Attention[];
  /** Of `attention`: what the ledger may contradict. Their space is reserved, they aren't shown. */
  guesses: ReadonlySet<Attention>;
} {
  const found = attentionOf(input);
  const guesses = new Set(isMeasuring ? found.filter(isGuess) : []);
  return { attention: found.filter((each) => !guesses.has(each) || isLikely(each)), guesses };
}
