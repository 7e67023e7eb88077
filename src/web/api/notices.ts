import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isWebPage } from '#src/shared/answers.ts';
import {
  CHANNEL_FAILING_SECONDS,
  type NoticeChannel,
  NOTICES_PATH,
  type NoticesResponse,
  noticesSchema,
  WATCH_FAILING_SECONDS,
} from '#src/shared/contract/noticesContract.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { capital } from '#src/shared/text.ts';
import { errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import { attempt } from './http.ts';
import { useCan } from './permissions.ts';
import { read } from './query.ts';
import { useSession } from './session.ts';
import { useNow } from '#src/web/ui/useNow.ts';

const NOTICES = 'notices';
/** While something is about to be sent. */
const POLL_MS = 2_000;
const RESTING_MS = 60_000;

export function noticesQuery(account: string) {
  return queryOptions({
    queryKey: [account, NOTICES],
    queryFn: async ({ signal }) =>
      (await read(NOTICES_PATH, undefined, parseWith(noticesSchema), { account, signal })).data,
    refetchInterval: ({ state: { data } }) =>
      data?.data.some(({ state }) => state === 'waiting') ? POLL_MS : RESTING_MS,
    refetchOnWindowFocus: true,
  });
}

/** Notices that couldn't be delivered, and why others may be missing; nothing for somebody who may not see them. */
export function useNoticeProblems(): NoticeProblems {
  const { account, hasNotices } = useSession();
  const canRead = useCan('read-notices');
  const { data } = useQuery({ ...noticesQuery(account), enabled: hasNotices && canRead });
  const now = useNow(10);
  return data === undefined ? NO_PROBLEMS : noticeProblems(data, now);
}

export interface NoticeProblems {
  undelivered: number;
  /** Channels that are off or have failed for a while. */
  channels: readonly NoticeChannel[];
  /** Set if the account can't be watched for a while. */
  watch: NoticesResponse['watch'];
}

const NO_PROBLEMS: NoticeProblems = { undelivered: 0, channels: [], watch: null };

/** `now`: Unix seconds. */
export function noticeProblems({ counts, channels, watch }: NoticesResponse, now: number): NoticeProblems {
  const isLong = watch !== null && now - watch.failing_since >= WATCH_FAILING_SECONDS;
  const failing = channels.filter(
    ({ failing_since: since, off_at: off }) =>
      off !== null || (since !== null && now - since >= CHANNEL_FAILING_SECONDS),
  );
  return { undelivered: counts.dead, channels: failing, watch: isLong ? watch : null };
}

export function channelName(name: string): string {
  return name === 'mail' ? 'E-mail' : capital(name);
}

export type NoticeCommand = { test: string } | { again: string };

/** Sends a test on a channel, or an undelivered notice again. Rejects with ApiError. */
export function useNoticeCommand() {
  const { account } = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (command: NoticeCommand) =>
      'test' in command
        ? send(account, `${NOTICES_PATH}/test`, { channel: command.test })
        : send(account, `${NOTICES_PATH}/${segment(command.again)}/again`, {}),
    // Also after a failure: a lost response may have changed something.
    onSettled: () => client.invalidateQueries({ queryKey: [account, NOTICES] }),
  });
}

async function send(account: string, path: string, body: object): Promise<true> {
  const answer = await attempt({ method: 'POST', path, body: stringifyExact(body), account });
  if (answer.kind === 'no-answer') throw errorOfNoAnswer(answer.reason, false);
  if (answer.status !== 204 || isWebPage(answer)) throw errorOfAnswer(answer);
  return true;
}
