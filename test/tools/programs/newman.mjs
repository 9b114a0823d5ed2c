/** Makes a Postman collection of a description and runs its GETs and one create with newman. Prints the statuses by name. */
import { readFileSync } from 'node:fs';
import newman from 'newman';
import converter from 'openapi-to-postmanv2';

const [, , description, baseUrl, key] = process.argv;
const input = { type: 'string', data: readFileSync(description, 'utf8') };
const options = { parametersResolution: 'Example', folderStrategy: 'Tags' };
const converted = await new Promise((resolve, reject) =>
  converter.convertV2(input, options, (error, result) => (error ? reject(error) : resolve(result))),
);
if (!converted.result) throw new Error(converted.reason);
const collection = converted.output[0].data;
const isRun = ({ name, request }) =>
  (request.method === 'GET' && !request.url.path.includes('events')) || name === 'Create an industry type';
const runnable = (items) =>
  items
    .map((item) => (item.item ? { ...item, item: runnable(item.item) } : item))
    .filter((item) => item.item || isRun(item));
const summary = await new Promise((resolve, reject) =>
  newman.run(
    {
      collection: { ...collection, item: runnable(collection.item) },
      envVar: [
        { key: 'baseUrl', value: baseUrl },
        { key: 'bearerToken', value: key },
      ],
      timeoutRequest: 20_000,
    },
    (error, result) => (error ? reject(error) : resolve(result)),
  ),
);
process.stdout.write(
  JSON.stringify(
    summary.run.executions.map(({ request, response }) => ({
      method: request.method,
      url: request.url.toString(),
      status: response?.code,
    })),
  ),
);
