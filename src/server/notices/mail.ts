import { createTransport } from 'nodemailer';
import * as v from 'valibot';
import { systemErrorCode, systemErrorMessage } from '#src/server/database/sql.ts';
import { emailSchema } from '#src/shared/contract/peopleContract.ts';
import { paths } from '#src/shared/paths.ts';
import { type Channel, type Delivery, MAIL, type NoticeMessage } from './channel.ts';

const TIMEOUT_MS = 15_000;

export interface SmtpSettings {
  host: string;
  port: number;
  /** none: only for a server on this machine. */
  tls: 'from-start' | 'starttls' | 'none';
  login: { user: string; pass: string } | null;
  from: { name: string; address: string };
}

interface MailOptions extends SmtpSettings {
  /** PUBLIC_ORIGIN. */
  origin: string;
  /** Replaces the abort after TIMEOUT_MS in tests. */
  signal?: () => AbortSignal;
}

/** Sends plain-text e-mail to the people of this dashboard, one message to each. */
export function createMail({ origin, signal = () => AbortSignal.timeout(TIMEOUT_MS), ...smtp }: MailOptions): Channel {
  const { host, port, tls, login, from } = smtp;
  const transport = createTransport({
    host,
    port,
    secure: tls === 'from-start',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(login && { auth: login }),
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  });
  return {
    name: MAIL,
    host: `${host}:${port}`,
    address: JSON.stringify(smtp),
    send: async (message) => {
      const to = message.email ?? '';
      if (!v.is(emailSchema, to)) return { kind: 'refused', problem: 'The address is no e-mail address.' };
      try {
        await transport.sendMail({
          ...mailOf(message, origin),
          from,
          to: { name: '', address: to },
          envelope: { from: from.address, to: [to] },
          signal: signal(),
        });
        return { kind: 'sent' };
      } catch (error) {
        return deliveryOf(error);
      }
    },
  };
}

function mailOf({ id, at, text, link }: NoticeMessage, origin: string) {
  return {
    // One line: a name with a line break must not begin another header.
    subject: text.replaceAll(/[\s\p{C}]+/gu, ' '),
    // Equal for all tries, so that a mail program can drop duplicates.
    messageId: `<${id}@${new URL(origin).hostname}>`,
    date: new Date(at * 1_000),
    headers: { 'Auto-Submitted': 'auto-generated' },
    text: [
      text,
      link,
      `The link only opens a page of the dashboard at ${origin}. Where your notices go: ${origin}${paths.ownAccount}`,
      '',
    ].join('\n\n'),
  };
}

/** Uses our own words: the server's may contain an address or the login. */
function deliveryOf(error: unknown): Delivery {
  const code = systemErrorCode(error);
  const status = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0;
  const command = error instanceof Error && 'command' in error ? String(error.command) : '';
  if (code === 'EABORT' || code === 'ETIMEDOUT')
    return { kind: 'failed', problem: `No response in ${TIMEOUT_MS / 1_000} seconds.` };
  if (code === 'EAUTH' || code === 'ENOAUTH')
    return { kind: 'failed', problem: `The mail server refused the login${statusSuffix(status)}.` };
  if (code === 'ETLS' || code === 'EREQUIRETLS')
    return { kind: 'failed', problem: 'The mail server offers no TLS that can be used.' };
  // Concerns this message or its recipient. An error about the sender means wrong settings, so the channel fails.
  if (status >= 500 && (command === 'RCPT TO' || command === 'DATA'))
    return { kind: 'refused', problem: `The mail server refused it${statusSuffix(status)}.` };
  if (status > 0) return { kind: 'failed', problem: `The mail server responded ${status}.` };
  const message = systemErrorMessage(error);
  if (/certificate/i.test(message)) return { kind: 'failed', problem: 'The mail server’s certificate isn’t trusted.' };
  // The library's own code (ESOCKET) is less specific.
  const [systemCode = code || 'unknown error'] = /\bE[A-Z]{4,}\b/.exec(message) ?? [];
  return { kind: 'failed', problem: `No connection (${systemCode}).` };
}

function statusSuffix(status: number): string {
  return status > 0 ? ` (${status})` : '';
}
