/** An error of the service in either shape, or of a gateway before it, which has only a message. */
interface ErrorBody {
  error?: string | ErrorBody;
  code?: string;
  reason?: string;
  message?: string;
  retryable?: boolean;
  platform?: string;
  details?: { field: string; message: string }[];
  results?: unknown[];
}

/** A response with a status of 400 or more. Branch on `code` and `reason`, never on the message. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  readonly reason: string | undefined;
  readonly retryable: boolean;
  readonly platform: string | undefined;
  /** The fields at fault; the enveloped shape names them in the message alone. */
  readonly details: { field: string; message: string }[];
  /** The results of all targets, if a create with several targets created none. */
  readonly results: unknown[];
  readonly requestId: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;

  constructor(status: number, headers: Headers, text: string) {
    const body = parse(text);
    const error = typeof body.error === "object" ? body.error : body;
    const said = error.message ?? (typeof body.error === "string" ? body.error : `HTTP ${status}`);
    const requestId = headers.get("x-request-id") ?? headers.get("apigw-requestid") ?? undefined;
    super(`${status} ${error.code ?? ""}: ${told(said, error.details?.[0])} (request ${requestId})`);
    this.name = "ApiError";
    this.status = status;
    this.code = error.code;
    this.reason = error.reason;
    this.retryable = error.retryable === true;
    this.platform = error.platform;
    this.details = error.details ?? [];
    this.results = error.results ?? [];
    this.requestId = requestId;
    const seconds = headers.get("retry-after");
    this.retryAfter = seconds !== null && /^\d+$/.test(seconds) ? Number(seconds) : undefined;
  }

  /** Whether the service has answered, and not a gateway before it. */
  get isOurs(): boolean {
    return this.code !== undefined;
  }
}

/** The message with the first detail, which most messages have already. */
function told(message: string, detail: { field: string; message: string } | undefined): string {
  if (!detail || message.includes(detail.message.replace(/\.$/, ""))) return message;
  return `${message} ${detail.field}: ${detail.message}`;
}

function parse(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null ? body : {};
  } catch {
    return {};
  }
}
