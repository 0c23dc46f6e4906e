const dots = '•'.repeat(24);

/** A connection string of which only the scheme is to be seen: passwords hide in more than one of its parts. */
export const maskedUrl = (url: string): string => `${/^[a-z][a-z0-9+.-]*:\/\//i.exec(url)?.[0] ?? ''}${dots}`;

/** A line for the terminal of which only the program is to be seen. */
export const maskedCommand = (command: string): string => `${/^[a-z][a-z0-9-]*(?= )/.exec(command)?.[0] ?? ''} ${dots}`.trimStart();
