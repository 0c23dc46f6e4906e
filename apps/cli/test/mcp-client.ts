import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult, Progress } from '@modelcontextprotocol/sdk/types.js';
import { toolProgram } from '../../../scripts/test/product.ts';

const main = toolProgram();
/** A limit of the wait, not a promise. */
const timeout = 300_000;

export interface Answer {
  isError: boolean;
  text: string;
  // The tests name the fields that they expect, and fail if they are missing.
  // oxlint-disable-next-line typescript/no-explicit-any
  value: any;
}

interface Surroundings {
  url: string;
  key?: string;
}

/** The environment of the CLI, without the machine's own configuration. */
export function toolEnv(t: TestContext, { url, key }: Surroundings): Record<string, string> {
  const home = mkdtempSync(join(tmpdir(), 'paddock-mcp-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return { PATH: process.env['PATH'] ?? '', HOME: home, PADDOCK_URL: url, ...(key === undefined ? {} : { PADDOCK_API_KEY: key }) };
}

/** The official client with `paddock mcp` as its process, closed at the end of the test. */
export async function openClient(t: TestContext, surroundings: Surroundings) {
  const env = toolEnv(t, surroundings);
  const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env, cwd: env['HOME']!, stderr: 'pipe' });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const client = new Client({ name: 'test', version: '0' });
  t.after(() => client.close());
  await client.connect(transport);

  async function call(name: string, given: Record<string, unknown> = {}, onprogress?: (progress: Progress) => void): Promise<Answer> {
    const options = { timeout, ...(onprogress ? { onprogress } : {}) };
    const {
      content,
      structuredContent,
      isError = false,
    } = (await client.callTool({ name, arguments: given }, undefined, options)) as CallToolResult;
    const [first] = content;
    assert.equal(first?.type, 'text');
    return { isError, text: first.text, value: structuredContent };
  }
  /** The value of a call that must succeed. */
  async function value(name: string, given: Record<string, unknown> = {}) {
    const answer = await call(name, given);
    assert.equal(answer.isError, false, answer.text);
    return answer.value;
  }
  return { client, call, value, home: env['HOME']!, stderr: () => stderr };
}
