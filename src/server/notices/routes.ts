import { type Context, Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import * as v from 'valibot';
import { type ApiOptions, limitWrites, refuseFailure } from '#src/server/operations/apiApp.ts';
import { parseJson } from '#src/shared/answers.ts';
import { type NoticeErrorCode, NOTICES_PATH, noticeTestSchema } from '#src/shared/contract/noticesContract.ts';
import type { NoticeActor, Notices } from './notices.ts';

export interface NoticesEnv {
  Bindings: { actor: NoticeActor };
}

/** /api/notices (shared/contract/noticesContract.ts). */
export function createNoticesApp(notices: Notices, { newRequestId, reportFailure, mono }: ApiOptions) {
  const app = new Hono<NoticesEnv>().basePath(NOTICES_PATH);

  app.use(
    '*',
    limitWrites<NoticesEnv>(mono, (c, tooMany) => refuse(c, 429, 'too_many', `${tooMany} Nothing was sent.`)),
  );

  app.get('/', async (c) => c.json(await notices.read(c.env.actor)));
  app.post('/test', async (c) => {
    const parsed = v.safeParse(noticeTestSchema, parseJson(await c.req.text()));
    if (!parsed.success) return refuse(c, 422, 'invalid_request_error', 'Name a channel.');
    const { channel } = parsed.output;
    if (!notices.hasChannel(channel)) return refuse(c, 404, 'not_found', 'There is no such channel.');
    const done = await notices.sendTest(c.env.actor, channel);
    if (done === 'sent') return c.body(null, 204);
    return done === 'no_address'
      ? refuse(c, 409, 'no_address', 'You have no e-mail address here. Enter one under Your account.')
      : refuse(c, 409, 'moved_on', 'A test was sent in this minute. Try again later.');
  });
  app.post('/:id/again', async (c) => {
    const isSent = await notices.sendAgain(c.env.actor, c.req.param('id'));
    return isSent ? c.body(null, 204) : refuse(c, 404, 'not_found', 'There is no such undelivered notice.');
  });
  app.all('*', (c) => refuse(c, 405, 'method_not_allowed', `${c.req.method} is not possible here.`));

  app.onError((error, c) => refuseFailure({ error, reportFailure }, (...refusal) => refuse(c, ...refusal)));
  return app;

  function refuse(
    c: Context<NoticesEnv>,
    status: ContentfulStatusCode,
    code: NoticeErrorCode,
    message: string,
  ): Response {
    const type = code === 'invalid_request_error' ? code : 'notice_error';
    return c.json({ error: { type, code, message, request_id: newRequestId() } }, status);
  }
}
