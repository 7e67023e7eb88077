import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { announce } from './announce.tsx';
import { Button, type ButtonProps, IconButton } from './Button.tsx';

export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copied, copy, reset } = useCopy(() => value);
  return (
    <IconButton label={label} onClick={copy} onBlur={reset}>
      {copied ? <Check className="icon-s" aria-hidden /> : <Copy className="icon-s" aria-hidden />}
    </IconButton>
  );
}

/** Copies text and announces the result, because some browsers don’t allow copying. */
export async function copyText(text: string): Promise<boolean> {
  const copied = await writeToClipboard(text);
  announce(copied ? 'Copied' : 'Copying isn’t allowed in this browser');
  return copied;
}

async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For plain HTTP, where navigator.clipboard doesn’t exist. While a dialog is open, only elements in it can be selected. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'vh';
  (focused?.closest('dialog') ?? document.body).append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
  }
}

interface CopyTextProps extends Pick<ButtonProps, 'size' | 'disabledReason'> {
  label: string;
  text: () => string;
  /** The single key that copies it. */
  keys?: string;
}

export function CopyText({ label, text, keys, ...button }: CopyTextProps) {
  const { copied, copy, reset } = useCopy(text);
  const Icon = copied ? Check : Copy;
  return (
    <Button
      {...button}
      data-keys={keys}
      reasonHidden
      icon={<Icon className="icon-s" aria-hidden />}
      onClick={copy}
      onBlur={reset}
    >
      {label}
    </Button>
  );
}

function useCopy(text: () => string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(text()));
  };
  return { copied, copy: () => void copy(), reset: () => setCopied(false) };
}
