import type { PolicyVersion } from '#src/shared/contract/policyContract.ts';
import type { Policy } from '#src/shared/policy/policy.ts';
import { revealHidden } from '#src/shared/text.ts';
import { Button } from '#src/web/ui/Button.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { Time } from '#src/web/ui/Time.tsx';
import { Part } from './parts.tsx';

const MARKS = {
  'in-force': { tone: 'proof', icon: 'check', chip: 'In force' },
  replaced: { tone: 'plain', icon: 'dot', chip: 'Replaced' },
  pending: { tone: 'open', icon: 'question', chip: 'Waiting' },
  ended: { tone: 'plain', icon: 'slash', chip: 'Stopped' },
  broken: { tone: 'alarm', icon: 'triangle', chip: 'Damaged' },
} as const satisfies Record<PolicyVersion['state'], unknown>;

interface PolicyVersionsProps {
  versions: readonly PolicyVersion[];
  /** Why the person can't change the rules. */
  refusal: string | undefined;
  onEdit: (policy: Policy) => void;
}

export function PolicyVersions({ versions, refusal, onEdit }: PolicyVersionsProps) {
  return (
    <Part title="Versions" text="Who chose and confirmed what. The newest fifty, newest first.">
      <DataTable
        label="Versions"
        className="grid-table labelled fitted"
        rows={versions}
        columns={columnsOf(refusal, onEdit)}
        keyOf={({ number }) => String(number)}
      />
    </Part>
  );
}

function columnsOf(refusal: string | undefined, onEdit: (policy: Policy) => void): DataColumn<PolicyVersion>[] {
  return [
    { name: 'Version', isHead: true, cell: ({ number }) => number },
    { name: 'State', cell: ({ state }) => <StateChip mark={MARKS[state]} big={false} /> },
    { name: 'Proposed', cell: ({ proposed_at: at }) => <Time unix={at} /> },
    { name: 'By', cell: ({ proposed_by: by }) => <Name name={by?.name ?? null} otherwise="The sandbox" /> },
    { name: 'Confirmed by', cell: ({ confirmed_by: by }) => <Name name={by?.name ?? null} otherwise="—" /> },
    {
      name: 'Actions',
      head: <span className="vh">Actions</span>,
      cell: ({ number, state, policy }) =>
        (state === 'replaced' || state === 'ended') &&
        policy !== null && (
          <Button
            size="small"
            disabledReason={refusal}
            reasonHidden
            aria-label={`Use version ${number} again`}
            onClick={() => onEdit(policy)}
          >
            Use again
          </Button>
        ),
    },
  ];
}

function Name({ name, otherwise }: { name: string | null; otherwise: string }) {
  return name === null ? <span className="dim">{otherwise}</span> : <bdi translate="no">{revealHidden(name)}</bdi>;
}
