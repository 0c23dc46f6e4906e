import packet, { type Answer, type DecodedPacket, type RecordType } from 'dns-packet';

/** A DNS question, as far as it is understood. */
export interface DnsQuestion {
  id: number;
  name: string;
  type: RecordType;
  /** Bytes that the client accepts over UDP. */
  room: number;
}

/** A resolver's answer: its code, and the records that answer the question. */
export interface DnsAnswer {
  code: string;
  answers: Answer[];
  isTruncated: boolean;
}

/** Longer messages are not questions for one name. */
export const maxQuestion = 1_024;
const plainUdp = 512;
const edns = 1_232;
/** Names of hosts. Other characters that DNS allows in labels read differently in text and in the packet. */
const hostName = /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/;
const maxName = 253;

/** Undefined for a packet that is not a plain question for a host name. It gets no answer, or `formatError`. */
export function readQuestion(bytes: Buffer): DnsQuestion | undefined {
  const read = bytes.length > maxQuestion ? undefined : decode(bytes, 4);
  const [question, ...others] = read?.questions ?? [];
  if (!read || read.type !== 'query' || read.opcode !== 'QUERY' || !question || others.length > 0) return undefined;
  const name = question.name.toLowerCase();
  if (question.class !== 'IN' || name.length > maxName || !hostName.test(name)) return undefined;
  const opt = read.additionals?.find((one) => one.type === 'OPT');
  const room = opt?.type === 'OPT' ? Math.min(Math.max(opt.udpPayloadSize, plainUdp), edns) : plainUdp;
  return { id: read.id ?? 0, name, type: question.type, room };
}

/** Encodes the same question for another resolver. Nothing of the stranger's packet is forwarded. */
export const writeQuestion = ({ name, type }: Pick<DnsQuestion, 'name' | 'type'>, id: number): Buffer =>
  packet.encode({
    type: 'query',
    id,
    flags: packet.RECURSION_DESIRED,
    questions: [{ name, type, class: 'IN' }],
    additionals: [
      { type: 'OPT', name: '.', udpPayloadSize: edns, extendedRcode: 0, ednsVersion: 0, flags: 0, flag_do: false, options: [] },
    ],
  });

/** The answer in a packet; undefined if it does not belong to the question. */
export function readAnswer(bytes: Buffer, { id, name, type }: Pick<DnsQuestion, 'id' | 'name' | 'type'>): DnsAnswer | undefined {
  const read = decode(bytes, 1_000);
  const [question] = read?.questions ?? [];
  if (!read || read.type !== 'response' || read.id !== id || question?.name.toLowerCase() !== name || question.type !== type)
    return undefined;
  return { code: read.rcode, answers: read.answers ?? [], isTruncated: read.flag_tc };
}

const codes: Record<string, number> = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 };

/** The answer in bytes. An answer that does not fit into `limit` is sent without records and marked as truncated. */
export function writeAnswer(
  { id, name, type }: DnsQuestion,
  said: Pick<DnsAnswer, 'code' | 'answers'> & { isTruncated?: boolean },
  limit: number,
): Buffer {
  const flags = packet.RECURSION_DESIRED | packet.RECURSION_AVAILABLE | (codes[said.code] ?? 2);
  const write = (answers: Answer[], isCut: boolean) =>
    packet.encode({
      type: 'response',
      id,
      flags: flags | (isCut ? packet.TRUNCATED_RESPONSE : 0),
      questions: [{ name, type, class: 'IN' }],
      answers,
    });
  const whole = write(said.answers, said.isTruncated ?? false);
  return whole.length <= limit ? whole : write([], true);
}

/** The header of a message. It contains four record counts of two bytes each. */
const headerBytes = 12;
const counts = [4, 6, 8, 10];

function decode(bytes: Buffer, maxRecords: number): (DecodedPacket & { rcode: string; opcode: string }) | undefined {
  // Checked before the decoder allocates room for as many records as the header promises.
  if (bytes.length < headerBytes || counts.some((at) => bytes.readUInt16BE(at) > maxRecords)) return undefined;
  try {
    return packet.decode(bytes) as DecodedPacket & { rcode: string; opcode: string }; // the types lack both fields
  } catch {
    return undefined; // strangers may send anything
  }
}
