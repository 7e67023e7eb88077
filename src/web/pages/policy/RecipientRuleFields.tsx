import type { RecipientRules } from '#src/shared/policy/policy.ts';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import { approvalChoices } from './draft.ts';

const WAITS = [0, 4, 12, 24, 48, 72, 168];

interface RecipientRuleFieldsProps {
  rules: RecipientRules;
  onChange: (rules: RecipientRules) => void;
}

/** Rules that depend on a payment's recipient. */
export function RecipientRuleFields({ rules, onChange }: RecipientRuleFieldsProps) {
  const change = (changes: Partial<RecipientRules>) => onChange({ ...rules, ...changes });
  return (
    <fieldset className="grid gap-4 border border-rule p-4">
      <legend className="px-1 font-semibold">Recipients</legend>
      <p className="small sub">
        Whoever saves a recipient proposes it; somebody else confirms it on Recipients. These rules ask for at least as
        many approvals, whatever the amount.
      </p>
      <div className="grid grid-cols-2 items-start gap-4 narrow:grid-cols-1">
        <SelectField<RecipientRules['unlisted']>
          label="Recipient that isn’t confirmed"
          value={rules.unlisted}
          options={[...approvalChoices(), { value: 'refuse', label: 'Payments are refused' }]}
          onChange={(unlisted) => change({ unlisted })}
        />
        <SelectField
          label="A confirmed recipient counts"
          value={rules.wait_hours}
          options={hourChoices(WAITS, rules.wait_hours).map(({ value, label }) => ({
            value,
            label: value === 0 ? 'At once' : `After ${label}`,
          }))}
          onChange={(hours) => change({ wait_hours: hours })}
        />
        <SelectField
          label="First payment to an address"
          value={rules.first_payment}
          options={approvalChoices()}
          onChange={(approvals) => change({ first_payment: approvals })}
        />
        <SelectField
          label="First payment after a change"
          help="The recipient was confirmed before, under another name or address."
          value={rules.changed}
          options={approvalChoices()}
          onChange={(approvals) => change({ changed: approvals })}
        />
      </div>
    </fieldset>
  );
}

/** The usual numbers, and the current one if it isn't among them. */
export function hourChoices(usual: readonly number[], current: number): { value: number; label: string }[] {
  const all = [...new Set([...usual, current])].toSorted((a, b) => a - b);
  return all.map((hours) => ({
    value: hours,
    label: hours < 48 || hours % 24 !== 0 ? `${hours} hours` : `${hours / 24} days`,
  }));
}
