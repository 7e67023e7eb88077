// Test support: a mail server on a loopback port with the part of SMTP that one message needs.
import { createServer, type Socket } from 'node:net';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Headers, an empty line and the body, as sent. */
  source: string;
}

/** The reply to a command such as "RCPT"; "." is the end of a message. Null: never reply. Undefined: the usual reply. */
export type MailReply = (command: string, line: string) => string | null | undefined;

const USUAL: Record<string, string> = {
  GREETING: '220 mail.example',
  EHLO: '250-mail.example\r\n250 AUTH PLAIN',
  AUTH: '235 Welcome',
  MAIL: '250 OK',
  RCPT: '250 OK',
  DATA: '354 Go on',
  '.': '250 Queued',
  QUIT: '221 Bye',
};

/** Call `stop` at the end. */
export async function startMailServer(replyTo: MailReply = () => undefined) {
  const received: ReceivedMail[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let mail: ReceivedMail = { from: '', to: [], source: '' };
    let isData = false;
    let text = '';
    const say = (command: string, line: string): boolean => {
      commands.push(line);
      const reply = replyTo(command, line);
      const sent = reply === undefined ? (USUAL[command] ?? '502 Unknown') : reply;
      if (sent !== null) socket.write(`${sent}\r\n`);
      return sent?.startsWith('2') === true || sent?.startsWith('3') === true;
    };
    const take = (line: string): void => {
      const command = line.split(' ')[0]?.toUpperCase() ?? '';
      const isTaken = say(command, line);
      const address = /<([^>]*)>/.exec(line)?.[1] ?? '';
      if (command === 'MAIL') mail = { from: address, to: [], source: '' };
      if (command === 'RCPT' && isTaken) mail.to.push(address);
      if (command === 'DATA') isData = isTaken;
      if (command === 'QUIT') socket.end();
    };
    socket.on('data', (part: Buffer) => {
      text += part.toString();
      for (;;) {
        const end = isData ? text.indexOf('\r\n.\r\n') : text.indexOf('\r\n');
        if (end < 0) return;
        const read = text.slice(0, end);
        text = text.slice(end + (isData ? 5 : 2));
        if (!isData) {
          take(read);
          continue;
        }
        isData = false;
        if (say('.', '.')) received.push({ ...mail, source: read.replaceAll('\r\n..', '\r\n.') });
      }
    });
    say('GREETING', 'greeting');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.');
  return {
    port: address.port,
    received,
    /** Every line outside a message. */
    commands,
    stop: (): void => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
