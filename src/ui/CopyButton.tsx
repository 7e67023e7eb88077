import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { announce } from './announce.tsx';
import { copyText } from './copy.ts';
import { IconButton } from './IconButton.tsx';

interface CopyButtonProps {
  value: string;
  /** What is copied, such as "Copy request id". */
  label: string;
  className?: string;
}

export function CopyButton({ value, label, className }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(value);
    setCopied(done);
    announce(done ? 'Copied' : 'This browser does not allow copying');
  };
  return (
    <IconButton label={label} className={className ?? ''} onClick={() => void copy()} onBlur={() => setCopied(false)}>
      {copied ? <Check className="icon-s" aria-hidden /> : <Copy className="icon-s" aria-hidden />}
    </IconButton>
  );
}
