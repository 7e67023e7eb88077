import * as v from 'valibot';
import { hasInvisible, revealHidden } from './text.ts';
import { typedAmount } from './typedAmount.ts';

// Field rules shared by all forms.

/** True, or why the field is refused. */
export type Ruling = true | string;

const LONGEST_NAME = 100;

export const assetRule = nameRule('Enter an asset.', hasInvisible);
export const chainRule = nameRule('Enter a chain.', hasInvisible);
export const recipientNameRule = nameRule('Enter a name.', (name) => revealHidden(name) !== name);

/** An amount to send, parsed to a plain decimal. */
export const amountField = v.pipe(
  v.string(),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const typed = typedAmount(dataset.value);
    if (typed.ok) return typed.amount;
    addIssue({ message: typed.reason });
    return NEVER;
  }),
);

function nameRule(empty: string, isHiding: (name: string) => boolean) {
  return (text: string): Ruling => {
    const name = text.trim();
    if (name === '') return empty;
    if (isHiding(name)) return 'It contains an invisible character. Type it instead of pasting.';
    if (name.length > LONGEST_NAME) return `This is longer than ${LONGEST_NAME} characters.`;
    return true;
  };
}

/** Text that a rule accepts, unchanged. */
export function ruledText(rule: (text: string) => Ruling) {
  return v.pipe(
    v.string(),
    v.rawCheck<string>(({ dataset, addIssue }) => {
      const ruling = dataset.typed ? rule(dataset.value) : true;
      if (ruling !== true) addIssue({ message: ruling });
    }),
  );
}

export function ruledLater(rule: (text: string) => Promise<Ruling>) {
  return v.pipeAsync(
    v.string(),
    v.trim(),
    v.rawCheckAsync<string>(async ({ dataset, addIssue }) => {
      const ruling = dataset.typed ? await rule(dataset.value) : true;
      if (ruling !== true) addIssue({ message: ruling });
    }),
  );
}

/** Free text of the team, possibly empty. */
export function atMost(characters: number) {
  return v.pipe(v.string(), v.trim(), v.maxLength(characters, `Use ${characters} characters or fewer.`));
}

export function ruledName(rule: (text: string) => Ruling) {
  return v.pipe(v.string(), v.trim(), ruledText(rule));
}
