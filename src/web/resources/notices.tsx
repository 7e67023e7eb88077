import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { ListedNotice, NoticeState } from '#src/shared/contract/noticesContract.ts';
import { noticePage, noticeText } from '#src/shared/notices.ts';
import { paths } from '#src/shared/paths.ts';
import { counted, numberWords } from '#src/shared/text.ts';
import { channelName, noticesQuery, useNoticeCommand } from '#src/web/api/notices.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { useSession } from '#src/web/api/session.ts';
import { announce } from '#src/web/ui/announce.tsx';
import { Button } from '#src/web/ui/Button.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import type { DataColumn } from '#src/web/ui/DataTable.tsx';
import { EmptyState } from '#src/web/ui/EmptyState.tsx';
import { UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { Time, ZoneHead } from '#src/web/ui/Time.tsx';
import { CommandProblem, NoticeChannels, problemText } from './NoticeChannels.tsx';
import type { OwnList, OwnListRows } from './ownList.ts';

type Tab = 'undelivered' | 'waiting' | 'sent';

const TAB_OF: Record<NoticeState, Tab> = { dead: 'undelivered', waiting: 'waiting', held: 'waiting', sent: 'sent' };

const CHIPS = {
  dead: { tone: 'alarm', icon: 'cross', chip: 'Not delivered' },
  waiting: { tone: 'motion', icon: 'dot', chip: 'Waiting' },
  held: { tone: 'motion', icon: 'dot', chip: 'In the next summary' },
  sent: { tone: 'proof', icon: 'check', chip: 'Delivered' },
} as const satisfies Record<NoticeState, object>;

/** Notices that were sent to people, or are about to be. */
export const notices = {
  title: 'Notices',
  path: paths.notices,
  noun: { one: 'notice', many: 'notices' },
  label: 'Notices',
  tableClass: 'grid-table labelled fitted',
  keyOf: ({ id }) => id,
  tabs: {
    usual: 'undelivered',
    none: { undelivered: 'No notice failed', waiting: 'Nothing is waiting', sent: 'Nothing was sent yet' },
  },
  Empty: () => (
    <EmptyState title="No notices yet">
      When a payment is unconfirmed, fails or gets stuck, or the access of a person changes, a notice appears here.
    </EmptyState>
  ),
} satisfies OwnList<ListedNotice, object, Tab>;

export function useNoticeRows({ tab = 'undelivered' }: { tab: Tab | undefined }): OwnListRows<ListedNotice, Tab> {
  const { account } = useSession();
  const refusal = useRefusal('send-notices');
  const query = useQuery(noticesQuery(account));
  const command = useNoticeCommand();
  const { data, counts } = query.data ?? {};
  const rows = data?.filter(({ state }) => TAB_OF[state] === tab);
  const waiting = counts && counts.waiting + counts.held;
  const sendAgain = ({ id }: ListedNotice) =>
    command.mutate({ again: id }, { onSuccess: () => announce('It is sent again.') });
  return {
    rows,
    query,
    isEmpty: data?.length === 0,
    columns: columnsOf({ tab, refusal, isPending: command.isPending, sendAgain }),
    ...(counts && {
      tabLabels: {
        undelivered: `Not delivered ${numberWords(counts.dead)}`,
        waiting: `Waiting ${numberWords(waiting ?? 0)}`,
        sent: 'Delivered',
      },
    }),
    asOf: 'Sent when something needs attention',
    above: query.data && (
      <NoticeChannels
        channels={query.data.channels}
        watch={query.data.watch}
        withoutAddress={query.data.without_address}
      />
    ),
    notices: <CommandProblem error={command.error} />,
    foot: rows && rows.length > 0 && `${counted(rows.length, 'notice', 'notices')}.`,
  };
}

interface ColumnsProps {
  tab: Tab;
  refusal: string | undefined;
  isPending: boolean;
  sendAgain: (notice: ListedNotice) => void;
}

function columnsOf({ tab, refusal, isPending, sendAgain }: ColumnsProps): DataColumn<ListedNotice>[] {
  return [
    { name: 'Time', head: <ZoneHead word="Time" />, cell: ({ at }) => <Time unix={at} /> },
    {
      name: 'Notice',
      isHead: true,
      className: 'min-w-60 whitespace-normal wrap-anywhere',
      cell: (notice) => <NoticeText notice={notice} />,
    },
    {
      name: 'Channel',
      cell: ({ channel, person }) => (
        <>
          {channelName(channel)}
          {person !== null && (
            <span className="small sub block">
              To <UntrustedText value={person} max={120} />
            </span>
          )}
        </>
      ),
    },
    {
      name: 'State',
      className: 'whitespace-normal',
      cell: (notice) => (
        <>
          <StateChip mark={CHIPS[notice.state]} big={false} />
          <span className="small sub block">{tryText(notice)}</span>
        </>
      ),
    },
    tab === 'waiting'
      ? {
          name: 'Next try',
          cell: ({ next_at: at }) => (at === null ? <span className="dim">—</span> : <Time unix={at} />),
        }
      : {
          name: 'Ended',
          cell: ({ done_at: at }) => (at === null ? <span className="dim">—</span> : <Time unix={at} />),
        },
    ...(tab === 'undelivered'
      ? [
          {
            name: 'Actions',
            head: <span className="vh">Actions</span>,
            cell: (notice: ListedNotice) => (
              <span className="acts-row flex-nowrap justify-end">
                <Button
                  size="small"
                  disabledReason={refusal ?? (isPending ? 'Sending' : undefined)}
                  reasonHidden
                  onClick={() => sendAgain(notice)}
                >
                  Send again
                </Button>
              </span>
            ),
          },
        ]
      : []),
  ];
}

/** Links to the same page as the message that was sent. */
function NoticeText({ notice }: { notice: ListedNotice }) {
  return <Link to={noticePage(notice)}>{noticeText(notice)}</Link>;
}

function tryText({ state, tries, problem }: ListedNotice): string {
  if (state === 'sent' || problem === null) return '';
  return `${problemText(problem)} ${counted(tries, 'try', 'tries')}.`;
}
