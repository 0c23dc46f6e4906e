const dots = '•'.repeat(24);

/** A connection string with everything but its scheme masked: a password may occur in several of its parts. */
export const maskedUrl = (url: string): string => `${/^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0] ?? ''}${dots}`;

/** A command with everything but its program masked. */
export const maskedCommand = (command: string): string => `${/^[a-z][a-z0-9-]*(?= )/.exec(command)?.[0] ?? ''} ${dots}`.trimStart();
