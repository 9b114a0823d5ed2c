import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/**
 * A name server on this machine that answers every question for an IPv4 address by `answer`, and every other question
 * with no record. Resolves with its address, `127.0.0.1:<port>`.
 */
export async function startNameServer(answer: (name: string) => string[]) {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const { name, type, end } = questionIn(question);
    const addresses = type === typeA ? answer(name) : [];
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt16BE(0, 8);
    head.writeUInt16BE(0, 10);
    socket.send(Buffer.concat([head, question.subarray(12, end), ...addresses.map(recordOf)]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

const typeA = 1;

function questionIn(message: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** A record of type A for the name in the question, with a TTL of 0. */
const recordOf = (address: string) =>
  Buffer.from([0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]);
