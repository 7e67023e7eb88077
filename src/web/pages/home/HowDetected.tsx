import { useCan } from '#src/web/api/permissions.ts';
import { useTeam, useTeamChange } from '#src/web/api/team.ts';
import { revealHidden, visibleCode } from '#src/shared/text.ts';
import { lasting } from '#src/shared/time.ts';
import { chainLabel } from '#src/shared/chains/names.ts';
import { SelectField } from '#src/web/ui/SelectField.tsx';
import type { HomeData } from './useHome.ts';
import { TeamProblem } from '#src/web/list/TeamProblem.tsx';

/** Maximum pairs of asset and chain to name. */
const MOST_PAIRS = 12;
const HOURS = [1, 2, 4, 8, 12, 24, 48];

export function HowDetected({ hours, usual }: Pick<HomeData, 'hours' | 'usual'>) {
  const byKind = (['deposit', 'withdrawal'] as const).map((kind) => {
    const pairs = usual.filter((each) => each.kind === kind && each.asset !== null && each.chain !== null);
    const known = pairs.slice(0, MOST_PAIRS).map(({ asset, chain, seconds }) => {
      const on = chain === null ? '' : ` on ${chainLabel(chain)}`;
      return `${visibleCode(asset ?? '') + revealHidden(on)} ${lasting(Math.max(60, seconds))}`;
    });
    return { kind, known: known.toSorted() };
  });
  return (
    <>
      <p>
        A payment is stuck when it waits over an hour and more than twice the usual time of its asset and chain, as the
        provider’s ledger shows it. Failed payments stay until somebody marks them as handled, for 7 days from when they
        failed by the ledger. Without a ledger, that time isn’t known: deposits stay for 7 days from when they were
        created, withdrawals for 30.
      </p>
      <p>
        A withdrawal of the last 7 days counts as not sent from here when nothing recorded here explains it, and no
        payment whose outcome is unknown could be it.
      </p>
      {byKind.map(({ kind, known }) => (
        <p key={kind}>
          Usual for {kind}s: {known.length === 0 ? 'not known yet' : known.join(', ')}.
        </p>
      ))}
      <Threshold hours={hours} />
    </>
  );
}

function Threshold({ hours }: { hours: number }) {
  const canChange = useCan('change-settings');
  const { data } = useTeam('settings');
  const change = useTeamChange('settings');
  const revision = data?.items.find(({ id }) => id === 'stuck-after')?.revision ?? 0;
  const options = [...new Set([...HOURS, hours])].sort((a, b) => a - b);
  if (!canChange || !data) return <p>Where the usual time isn’t known: after {lasting(hours * 3600)}.</p>;
  return (
    <>
      <SelectField
        label="Where the usual time isn’t known, flag after"
        help="For everybody in your team."
        value={hours}
        options={options.map((value) => ({ value, label: value === 1 ? '1 hour' : `${value} hours` }))}
        onChange={(value) =>
          change.mutate({ id: 'stuck-after', value: { name: 'stuck-after', hours: value }, revision })
        }
      />
      {change.error && <TeamProblem error={change.error} heading="This wasn’t saved" />}
    </>
  );
}
