import type { NoticeChannel, NoticesResponse } from '#src/shared/contract/noticesContract.ts';
import { paths } from '#src/shared/paths.ts';
import { listInWords, revealHidden } from '#src/shared/text.ts';
import { Link } from 'react-router';
import { describeError } from '#src/web/api/errors.ts';
import { channelName, useNoticeCommand } from '#src/web/api/notices.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { Notice } from '#src/web/ui/Notice.tsx';
import { Time } from '#src/web/ui/Time.tsx';

interface NoticeChannelsProps {
  channels: readonly NoticeChannel[];
  watch: NoticesResponse['watch'];
  /** Names of people who could act on notices, but have no address. */
  withoutAddress: readonly string[];
}

/** Where notices are sent. Channels come from the server's settings, so no one can redirect notices in the dashboard. */
export function NoticeChannels({ channels, watch, withoutAddress }: NoticeChannelsProps) {
  const refusal = useRefusal('send-notices');
  const { mutate, isPending, error } = useNoticeCommand();
  if (channels.length === 0)
    return (
      <div className="px-gutter pt-3">
        <Notice tone="plain" title="No channel is set up.">
          Nobody is told when something needs attention. Whoever runs the server can set SMTP_URL or NOTIFY_WEBHOOK_URL.
        </Notice>
      </div>
    );
  const sendTest = ({ name }: NoticeChannel) =>
    mutate({ test: name }, { onSuccess: () => announce('A test is on its way.') });
  return (
    <>
      {watch && <WatchProblem watch={watch} />}
      <DataTable
        label="Channels"
        className="grid-table labelled fitted"
        rows={channels}
        columns={columnsOf({ refusal, isPending, sendTest })}
        keyOf={({ name }) => name}
      />
      {withoutAddress.length > 0 && <WithoutAddress names={withoutAddress} />}
      <CommandProblem error={error} />
    </>
  );
}

export function WatchProblem({ watch }: { watch: NonNullable<NoticesResponse['watch']> }) {
  return (
    <div className="px-gutter py-3">
      <Notice
        tone="alarm"
        title={
          <>
            Not everything could be read from the provider since <Time unix={watch.failing_since} />.
          </>
        }
      >
        {problemText(watch.problem)} Until it can, some payments that fail or get stuck may not be reported.
      </Notice>
    </div>
  );
}

/** Number of names before "and others". */
const NAMES_MAX = 5;

function WithoutAddress({ names }: { names: readonly string[] }) {
  const more = names.length - NAMES_MAX;
  const named = names.slice(0, NAMES_MAX).map(revealHidden);
  return (
    <div className="px-gutter py-3">
      <Notice tone="open" title={`No e-mail address: ${listInWords(more > 0 ? [...named, `${more} more`] : named)}.`}>
        Notices that they could act on don’t reach them by mail. They enter an address under{' '}
        <Link to={paths.ownAccount}>Your account</Link>, or an admin does under <Link to={paths.people}>People</Link>.
      </Notice>
    </div>
  );
}

interface ColumnsProps {
  refusal: string | undefined;
  isPending: boolean;
  sendTest: (channel: NoticeChannel) => void;
}

function columnsOf({ refusal, isPending, sendTest }: ColumnsProps): DataColumn<NoticeChannel>[] {
  return [
    {
      name: 'Channel',
      isHead: true,
      cell: ({ name, host }) => (
        <>
          {channelName(name)}{' '}
          <span className="small sub font-normal">
            <bdi translate="no">{revealHidden(host)}</bdi>
          </span>
        </>
      ),
    },
    {
      name: 'State',
      className: 'whitespace-normal',
      cell: (channel) => (
        <>
          <StateChip mark={markOf(channel)} big={false} />
          {channel.problem !== null && <span className="small sub block">{problemText(channel.problem)}</span>}
        </>
      ),
    },
    {
      name: 'Last delivered',
      cell: ({ sent_at: at }) => (at === null ? <span className="dim">Never</span> : <Time unix={at} age />),
    },
    {
      name: 'Failing since',
      cell: ({ failing_since: at }) => (at === null ? <span className="dim">—</span> : <Time unix={at} />),
    },
    {
      name: 'Actions',
      head: <span className="vh">Actions</span>,
      cell: (channel) => (
        <span className="acts-row flex-nowrap justify-end">
          <Button
            size="small"
            disabledReason={refusal ?? (isPending ? 'Sending' : undefined)}
            reasonHidden
            onClick={() => sendTest(channel)}
          >
            Send test
          </Button>
        </span>
      ),
    },
  ];
}

function markOf({ sent_at: sent, failing_since: failing, off_at: off }: NoticeChannel) {
  if (off !== null) return { tone: 'alarm', icon: 'cross', chip: 'Off' } as const;
  if (failing !== null) return { tone: 'alarm', icon: 'triangle', chip: 'Failing' } as const;
  if (sent !== null) return { tone: 'proof', icon: 'check', chip: 'Working' } as const;
  return { tone: 'plain', icon: 'dot', chip: 'Not used yet' } as const;
}

/** The server's text, with hidden characters made visible. */
export function problemText(problem: string): string {
  return revealHidden(problem);
}

/** Why a command failed. */
export function CommandProblem({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <div className="px-gutter py-2">
      <Notice tone="alarm" title="Not sent." live>
        {describeError(error).message}
      </Notice>
    </div>
  );
}
