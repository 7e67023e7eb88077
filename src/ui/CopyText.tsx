import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { announce } from './announce.tsx';
import { Button } from './Button.tsx';
import { copyText } from './copy.ts';

/** A button that copies a text; made when it is pressed. */
export function CopyText({ label, text, size }: { label: string; text: () => string; size?: 'small' }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(text());
    setCopied(done);
    announce(done ? 'Copied' : 'This browser does not allow copying');
  };
  const Icon = copied ? Check : Copy;
  return (
    <Button
      {...(size && { size })}
      icon={<Icon className="icon-s" aria-hidden />}
      onClick={() => void copy()}
      onBlur={() => setCopied(false)}
    >
      {label}
    </Button>
  );
}
