/** The OpenAPI description of the REST interface, as far as features add to it. `rest/` makes it. */
export interface ApiDescription {
  /** By path and method in lower case. */
  paths: Record<string, Record<string, ApiOperation>>;
  webhooks: object;
  components: {
    headers: Readonly<Record<string, object>>;
    responses: Readonly<Record<string, ApiResponse>>;
  };
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  deprecated?: true;
  responses: Record<string, ApiResponse | Reference>;
}

export interface ApiResponse {
  description: string;
  headers?: Record<string, Reference>;
}

export interface Reference {
  $ref: string;
}
