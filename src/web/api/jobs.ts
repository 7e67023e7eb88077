import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { isWebPage } from '#src/shared/answers.ts';
import {
  type ExportRequest,
  type Job,
  type JobDetail,
  jobDetailSchema,
  jobListSchema,
  JOBS_PATH,
} from '#src/shared/contract/jobsContract.ts';
import { stringifyExact } from '#src/shared/json/exactJson.ts';
import { segment } from '#src/shared/paths.ts';
import { errorOfAnswer, errorOfNoAnswer } from './errors.ts';
import { attempt } from './http.ts';
import { useCan } from './permissions.ts';
import { read, request } from './query.ts';
import { parseWith } from '#src/shared/contract/rows.ts';
import { useSession } from './session.ts';

const JOBS = 'jobs';
/** While a job runs. */
const POLL_MS = 1_000;

const parseDetail = parseWith(jobDetailSchema);

function isUnended({ state }: Job): boolean {
  return state === 'waiting' || state === 'running';
}

/** Newest first. With SIGN_IN=key, everyone's jobs on the account. */
export function jobsQuery(account: string) {
  return queryOptions({
    queryKey: [account, JOBS],
    queryFn: async ({ signal }) =>
      (await read(JOBS_PATH, undefined, parseWith(jobListSchema), { account, signal })).data.data,
    refetchInterval: ({ state: { data } }) => (data?.some(isUnended) ? POLL_MS : false),
    // Another tab, or a colleague, may have started one.
    refetchOnWindowFocus: true,
  });
}

/** One job, with its control totals. */
export function jobQuery(account: string, { id, ended_at }: Pick<Job, 'id' | 'ended_at'>) {
  return queryOptions({
    queryKey: [account, JOBS, id, ended_at],
    queryFn: async ({ signal }) =>
      (await read(`${JOBS_PATH}/${segment(id)}`, undefined, parseDetail, { account, signal })).data,
    staleTime: Infinity,
  });
}

/** The person's own jobs; with SIGN_IN=key, those started under the same typed name. */
export function useOwnJobs(): Job[] | undefined {
  const { account, name, person } = useSession();
  const canExport = useCan('export');
  const { data } = useQuery({ ...jobsQuery(account), enabled: canExport });
  return person === null ? data?.filter(({ who }) => (who ?? '') === (name ?? '')) : data;
}

/** Undefined until it is loaded, null once it is gone. */
export function useExportJob(id: string | null): Job | null | undefined {
  const { data } = useQuery(jobsQuery(useSession().account));
  return data && (data.find((job) => job.id === id) ?? null);
}

export function startExport(account: string, input: ExportRequest): Promise<JobDetail> {
  return request({ method: 'POST', path: JOBS_PATH, body: stringifyExact(input), account }, parseDetail);
}

export function continueExport(account: string, id: string): Promise<JobDetail> {
  const path = `${JOBS_PATH}/${segment(id)}/continue`;
  return request({ method: 'POST', path, body: '{}', account }, parseDetail);
}

/** Cancels a running job, or deletes the file of a finished one. */
export async function deleteJob(account: string, id: string): Promise<true> {
  const answer = await attempt({ method: 'DELETE', path: `${JOBS_PATH}/${segment(id)}`, account });
  if (answer.kind === 'no-answer') throw errorOfNoAnswer(answer.reason, false);
  // 404: already gone, which is the result that was wanted.
  const isDone = answer.status === 204 || answer.status === 404;
  if (!isDone || isWebPage(answer)) throw errorOfAnswer(answer);
  return true;
}

/** Runs one of the commands above, and puts the resulting job in the list at once. */
export function useExportCommand<Input>(command: (account: string, input: Input) => Promise<JobDetail | true>) {
  const { account } = useSession();
  const client = useQueryClient();
  const { queryKey } = jobsQuery(account);
  return useMutation({
    mutationFn: (input: Input) => command(account, input),
    onSuccess: async (job) => {
      // An older response must not replace it.
      await client.cancelQueries({ queryKey, exact: true });
      if (job !== true)
        client.setQueryData(queryKey, (before) => [job, ...(before ?? []).filter(({ id }) => id !== job.id)]);
    },
    // Also after a failure: a lost response may have changed something.
    onSettled: () => client.invalidateQueries({ queryKey, exact: true }),
  });
}

/** How long a download takes to begin. */
const DOWNLOAD_MS = 1_000;

/** Returns a function to call when a download starts: it reloads the list, which shows that the file was downloaded. */
export function useDownloadStarted(): () => void {
  const { account } = useSession();
  const client = useQueryClient();
  const { queryKey } = jobsQuery(account);
  return () => void setTimeout(() => void client.invalidateQueries({ queryKey, exact: true }), DOWNLOAD_MS);
}

/** Link that downloads the file; the server checks session and permission again. */
export function exportFilePath(id: string): string {
  return `${JOBS_PATH}/${segment(id)}/file`;
}
