import { Plus, Trash2 } from 'lucide-react';
import { revealHidden, visibleCode } from '#src/shared/text.ts';
import { Button, IconButton } from '#src/web/ui/Button.tsx';
import { Message } from '#src/web/ui/Field.tsx';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import {
  approvalChoices,
  dayOf,
  type DraftAsset,
  type DraftFaults,
  type DraftStep,
  newStep,
  whyNoMoreSteps,
} from './draft.ts';
import { LimitField } from './LimitField.tsx';

interface AssetRulesProps {
  rule: DraftAsset;
  faults: DraftFaults;
  onChange: (rule: DraftAsset) => void;
  onRemove: () => void;
}

/** The steps of one asset: how many approvals are needed up to which amounts. */
export function AssetRules({ rule, faults, onChange, onRemove }: AssetRulesProps) {
  const { id, asset, steps, above } = rule;
  const name = revealHidden(asset);
  const last = steps.at(-1)?.approvals ?? -1;
  const changeStep = (changed: DraftStep) =>
    onChange({ ...rule, steps: steps.map((step) => (step.id === changed.id ? changed : step)) });
  const addStep = () => {
    const next = last + 1;
    onChange({ ...rule, steps: [...steps, newStep(next)], above: Math.max(above, next + 1) });
  };
  return (
    <fieldset className="grid gap-4 border border-rule p-4">
      <legend className="px-1 font-semibold" translate="no">
        {name}
      </legend>
      {steps.map((step, at) => (
        <StepFields
          key={step.id}
          step={step}
          asset={asset}
          number={at + 1}
          faults={faults}
          onChange={changeStep}
          onRemove={() => onChange({ ...rule, steps: steps.filter(({ id: other }) => other !== step.id) })}
        />
      ))}
      <div className="grid max-w-64 gap-1">
        <SelectField
          label={steps.length === 0 ? 'Every payment' : 'Above these limits'}
          value={above}
          options={approvalChoices()}
          onChange={(value) => onChange({ ...rule, above: value })}
        />
        <Fault text={faults.get(`${id} above`)} />
      </div>
      <div className="acts-row">
        <Button
          size="small"
          icon={<Plus aria-hidden />}
          disabledReason={whyNoMoreSteps(rule)}
          reasonHidden
          onClick={addStep}
        >
          Add a step
        </Button>
        <Button size="small" variant="quiet" onClick={onRemove} aria-label={`Remove the rules of ${name}`}>
          Remove
        </Button>
      </div>
    </fieldset>
  );
}

interface StepFieldsProps {
  step: DraftStep;
  asset: string;
  /** From 1. */
  number: number;
  faults: DraftFaults;
  onChange: (step: DraftStep) => void;
  onRemove: () => void;
}

function StepFields({ step, asset, number, faults, onChange, onRemove }: StepFieldsProps) {
  const { id, approvals, each, day, count } = step;
  // The limit per day follows that per payment until the person types another one.
  const changeEach = (text: string) =>
    onChange({ ...step, each: text, day: day === '' || day === dayOf(each) ? dayOf(text) : day });
  return (
    <fieldset className="grid grid-cols-[minmax(8.5rem,1fr)_minmax(10rem,1.4fr)_minmax(10rem,1.4fr)_minmax(8rem,1fr)_auto] items-start gap-3 border-b border-rule pb-4 narrow:grid-cols-1">
      <legend className="vh">
        Step {number} of {revealHidden(asset)}
      </legend>
      <div className="grid gap-1">
        <SelectField
          label="With"
          value={approvals}
          options={approvalChoices()}
          onChange={(value) => onChange({ ...step, approvals: value })}
        />
        <Fault text={faults.get(`${id} approvals`)} />
      </div>
      <LimitField
        label="One payment, up to"
        suffix={visibleCode(asset)}
        text={each}
        error={faults.get(`${id} each`)}
        onText={changeEach}
      />
      <LimitField
        label="24 hours, up to"
        suffix={visibleCode(asset)}
        text={day}
        error={faults.get(`${id} day`)}
        onText={(text) => onChange({ ...step, day: text })}
      />
      <LimitField
        label="Payments in 24 h"
        text={count}
        error={faults.get(`${id} count`)}
        onText={(text) => onChange({ ...step, count: text })}
      />
      <div className="pt-6 narrow:pt-0">
        <IconButton label={`Remove step ${number} of ${revealHidden(asset)}`} onClick={onRemove}>
          <Trash2 aria-hidden />
        </IconButton>
      </div>
    </fieldset>
  );
}

export function Fault({ text }: { text: string | undefined }) {
  return text === undefined ? null : <Message tone="alarm">{text}</Message>;
}
