"""Contains all the data models used in inputs/outputs"""

from .ad import Ad
from .ad_counts import AdCounts
from .ad_delivery import AdDelivery
from .ad_reason import AdReason
from .ad_rejection import AdRejection
from .ad_review import AdReview
from .ad_state import AdState
from .ads_unread import AdsUnread
from .api_key import ApiKey
from .api_key_at_event import ApiKeyAtEvent
from .api_key_changes import ApiKeyChanges
from .api_key_list import ApiKeyList
from .approval_amount import ApprovalAmount
from .approval_amount_answer import ApprovalAmountAnswer
from .approval_rule import ApprovalRule
from .approval_rule_answer import ApprovalRuleAnswer
from .authorize_result import AuthorizeResult
from .billing_status import BillingStatus
from .billing_usage import BillingUsage
from .bound_setter import BoundSetter
from .budget_bound import BudgetBound
from .budget_holder import BudgetHolder
from .bulk_change import BulkChange
from .bulk_target import BulkTarget
from .campaign_at_event import CampaignAtEvent
from .campaign_defaults import CampaignDefaults
from .change_approval import ChangeApproval
from .change_approver import ChangeApprover
from .change_budget_period import ChangeBudgetPeriod
from .change_error import ChangeError
from .change_executor import ChangeExecutor
from .change_field import ChangeField
from .change_kind import ChangeKind
from .change_rejection import ChangeRejection
from .change_requester import ChangeRequester
from .change_requester_type import ChangeRequesterType
from .change_state import ChangeState
from .checked_by import CheckedBy
from .checkout_request import CheckoutRequest
from .checkout_session import CheckoutSession
from .chosen_defaults import ChosenDefaults
from .confirmed_connections import ConfirmedConnections
from .connection import Connection
from .connection_confirmation import ConnectionConfirmation
from .connection_label import ConnectionLabel
from .connection_list import ConnectionList
from .connection_status import ConnectionStatus
from .create_goal import CreateGoal
from .created_api_key import CreatedApiKey
from .currency_limit import CurrencyLimit
from .currency_limit_answer import CurrencyLimitAnswer
from .customer import Customer
from .date_holder import DateHolder
from .date_precision import DatePrecision
from .date_rule import DateRule
from .date_rules import DateRules
from .date_timing import DateTiming
from .decimal_rules import DecimalRules
from .defaults_source import DefaultsSource
from .delivery import Delivery
from .delivery_attempt import DeliveryAttempt
from .delivery_level import DeliveryLevel
from .delivery_list import DeliveryList
from .delivery_reason import DeliveryReason
from .delivery_reason_name import DeliveryReasonName
from .delivery_state import DeliveryState
from .delivery_status import DeliveryStatus
from .delivery_type import DeliveryType
from .description import Description
from .document_shape import DocumentShape
from .dry_run_results import DryRunResults
from .dry_run_verdict import DryRunVerdict
from .enveloped_account_insights import EnvelopedAccountInsights
from .enveloped_budget_period import EnvelopedBudgetPeriod
from .enveloped_budgets_request import EnvelopedBudgetsRequest
from .enveloped_bulk_account import EnvelopedBulkAccount
from .enveloped_bulk_report import EnvelopedBulkReport
from .enveloped_bulk_report_answer import EnvelopedBulkReportAnswer
from .enveloped_bulk_request import EnvelopedBulkRequest
from .enveloped_bulk_status import EnvelopedBulkStatus
from .enveloped_bulk_status_answer import EnvelopedBulkStatusAnswer
from .enveloped_campaign import EnvelopedCampaign
from .enveloped_campaign_answer import EnvelopedCampaignAnswer
from .enveloped_campaign_at_event import EnvelopedCampaignAtEvent
from .enveloped_campaign_delivery import EnvelopedCampaignDelivery
from .enveloped_campaign_insights import EnvelopedCampaignInsights
from .enveloped_campaign_list import EnvelopedCampaignList
from .enveloped_campaign_or_dry_run_answer import EnvelopedCampaignOrDryRunAnswer
from .enveloped_change import EnvelopedChange
from .enveloped_change_answer import EnvelopedChangeAnswer
from .enveloped_change_list import EnvelopedChangeList
from .enveloped_change_requested import EnvelopedChangeRequested
from .enveloped_change_review import EnvelopedChangeReview
from .enveloped_change_review_answer import EnvelopedChangeReviewAnswer
from .enveloped_change_values import EnvelopedChangeValues
from .enveloped_connection_at_event import EnvelopedConnectionAtEvent
from .enveloped_create import EnvelopedCreate
from .enveloped_delivery_answer import EnvelopedDeliveryAnswer
from .enveloped_dry_run import EnvelopedDryRun
from .enveloped_error import EnvelopedError
from .enveloped_error_body import EnvelopedErrorBody
from .enveloped_error_code import EnvelopedErrorCode
from .enveloped_event import EnvelopedEvent
from .enveloped_event_data import EnvelopedEventData
from .enveloped_goal import EnvelopedGoal
from .enveloped_insights_answer import EnvelopedInsightsAnswer
from .enveloped_insights_list import EnvelopedInsightsList
from .enveloped_insights_list_answer import EnvelopedInsightsListAnswer
from .enveloped_intent import EnvelopedIntent
from .enveloped_intents import EnvelopedIntents
from .enveloped_intents_answer import EnvelopedIntentsAnswer
from .enveloped_list_failure import EnvelopedListFailure
from .enveloped_period_rules import EnvelopedPeriodRules
from .enveloped_platform import EnvelopedPlatform
from .enveloped_review_at_event import EnvelopedReviewAtEvent
from .enveloped_status import EnvelopedStatus
from .enveloped_terms import EnvelopedTerms
from .enveloped_update import EnvelopedUpdate
from .erasure_state import ErasureState
from .error_reason import ErrorReason
from .event import Event
from .event_data import EventData
from .event_list import EventList
from .event_previous import EventPrevious
from .event_type import EventType
from .event_type_choice import EventTypeChoice
from .field_error import FieldError
from .flat_budget_period import FlatBudgetPeriod
from .flat_change import FlatChange
from .flat_change_requested import FlatChangeRequested
from .flat_change_values import FlatChangeValues
from .flat_error import FlatError
from .flat_error_code import FlatErrorCode
from .flat_goal import FlatGoal
from .flat_list_failure import FlatListFailure
from .flat_period_rules import FlatPeriodRules
from .flat_status import FlatStatus
from .flat_terms import FlatTerms
from .forbidden_in_name import ForbiddenInName
from .granularity import Granularity
from .health import Health
from .health_status import HealthStatus
from .insights_number import InsightsNumber
from .insights_row import InsightsRow
from .intent_state import IntentState
from .json_object import JsonObject
from .limit_creates import LimitCreates
from .limit_left import LimitLeft
from .limit_name import LimitName
from .limit_owner import LimitOwner
from .limit_refusal import LimitRefusal
from .limit_sum import LimitSum
from .limits import Limits
from .minimum_budget import MinimumBudget
from .multi_target_create import MultiTargetCreate
from .name_rules import NameRules
from .name_unit import NameUnit
from .new_api_key import NewApiKey
from .new_budget import NewBudget
from .new_campaign_defaults import NewCampaignDefaults
from .new_redirect_uri import NewRedirectUri
from .new_webhook_endpoint import NewWebhookEndpoint
from .pacing import Pacing
from .pagination import Pagination
from .payload_shape import PayloadShape
from .ping import Ping
from .ping_type import PingType
from .plan import Plan
from .platform import Platform
from .platform_api_version import PlatformApiVersion
from .platform_fault import PlatformFault
from .platform_list import PlatformList
from .platform_o_auth import PlatformOAuth
from .platform_request import PlatformRequest
from .platform_table import PlatformTable
from .portal_session import PortalSession
from .previous_api_key import PreviousApiKey
from .previous_billing import PreviousBilling
from .previous_change import PreviousChange
from .previous_connection import PreviousConnection
from .previous_user import PreviousUser
from .previous_webhook_endpoint import PreviousWebhookEndpoint
from .quota_at_event import QuotaAtEvent
from .received import Received
from .redirect_uri import RedirectUri
from .redirect_uri_answer import RedirectUriAnswer
from .redirect_uri_list import RedirectUriList
from .refused_campaign import RefusedCampaign
from .removal_preview import RemovalPreview
from .replay_request import ReplayRequest
from .replay_result import ReplayResult
from .review_at_event import ReviewAtEvent
from .rotated_api_key import RotatedApiKey
from .scope import Scope
from .shape import Shape
from .skip_reason import SkipReason
from .skipped_account import SkippedAccount
from .spending_limit import SpendingLimit
from .spending_limit_answer import SpendingLimitAnswer
from .stopped_api_key import StoppedApiKey
from .sync_result import SyncResult
from .synced_connection import SyncedConnection
from .target import Target
from .target_account import TargetAccount
from .target_results import TargetResults
from .target_status import TargetStatus
from .target_summary import TargetSummary
from .target_verdict import TargetVerdict
from .undo_request import UndoRequest
from .usage_log_entry import UsageLogEntry
from .usage_log_list import UsageLogList
from .user import User
from .user_at_event import UserAtEvent
from .user_details import UserDetails
from .user_erasure import UserErasure
from .user_limits import UserLimits
from .user_list import UserList
from .user_pause import UserPause
from .user_spending_limit import UserSpendingLimit
from .user_spending_limit_answer import UserSpendingLimitAnswer
from .user_update import UserUpdate
from .user_waiting import UserWaiting
from .webhook_endpoint import WebhookEndpoint
from .webhook_endpoint_changes import WebhookEndpointChanges
from .webhook_endpoint_list import WebhookEndpointList
from .webhook_endpoint_status import WebhookEndpointStatus
from .webhook_endpoint_with_secret import WebhookEndpointWithSecret
from .webhook_event import WebhookEvent
from .webhook_event_data import WebhookEventData

__all__ = (
    "Ad",
    "AdCounts",
    "AdDelivery",
    "AdReason",
    "AdRejection",
    "AdReview",
    "AdState",
    "AdsUnread",
    "ApiKey",
    "ApiKeyAtEvent",
    "ApiKeyChanges",
    "ApiKeyList",
    "ApprovalAmount",
    "ApprovalAmountAnswer",
    "ApprovalRule",
    "ApprovalRuleAnswer",
    "AuthorizeResult",
    "BillingStatus",
    "BillingUsage",
    "BoundSetter",
    "BudgetBound",
    "BudgetHolder",
    "BulkChange",
    "BulkTarget",
    "CampaignAtEvent",
    "CampaignDefaults",
    "ChangeApproval",
    "ChangeApprover",
    "ChangeBudgetPeriod",
    "ChangeError",
    "ChangeExecutor",
    "ChangeField",
    "ChangeKind",
    "ChangeRejection",
    "ChangeRequester",
    "ChangeRequesterType",
    "ChangeState",
    "CheckedBy",
    "CheckoutRequest",
    "CheckoutSession",
    "ChosenDefaults",
    "ConfirmedConnections",
    "Connection",
    "ConnectionConfirmation",
    "ConnectionLabel",
    "ConnectionList",
    "ConnectionStatus",
    "CreateGoal",
    "CreatedApiKey",
    "CurrencyLimit",
    "CurrencyLimitAnswer",
    "Customer",
    "DateHolder",
    "DatePrecision",
    "DateRule",
    "DateRules",
    "DateTiming",
    "DecimalRules",
    "DefaultsSource",
    "Delivery",
    "DeliveryAttempt",
    "DeliveryLevel",
    "DeliveryList",
    "DeliveryReason",
    "DeliveryReasonName",
    "DeliveryState",
    "DeliveryStatus",
    "DeliveryType",
    "Description",
    "DocumentShape",
    "DryRunResults",
    "DryRunVerdict",
    "EnvelopedAccountInsights",
    "EnvelopedBudgetPeriod",
    "EnvelopedBudgetsRequest",
    "EnvelopedBulkAccount",
    "EnvelopedBulkReport",
    "EnvelopedBulkReportAnswer",
    "EnvelopedBulkRequest",
    "EnvelopedBulkStatus",
    "EnvelopedBulkStatusAnswer",
    "EnvelopedCampaign",
    "EnvelopedCampaignAnswer",
    "EnvelopedCampaignAtEvent",
    "EnvelopedCampaignDelivery",
    "EnvelopedCampaignInsights",
    "EnvelopedCampaignList",
    "EnvelopedCampaignOrDryRunAnswer",
    "EnvelopedChange",
    "EnvelopedChangeAnswer",
    "EnvelopedChangeList",
    "EnvelopedChangeRequested",
    "EnvelopedChangeReview",
    "EnvelopedChangeReviewAnswer",
    "EnvelopedChangeValues",
    "EnvelopedConnectionAtEvent",
    "EnvelopedCreate",
    "EnvelopedDeliveryAnswer",
    "EnvelopedDryRun",
    "EnvelopedError",
    "EnvelopedErrorBody",
    "EnvelopedErrorCode",
    "EnvelopedEvent",
    "EnvelopedEventData",
    "EnvelopedGoal",
    "EnvelopedInsightsAnswer",
    "EnvelopedInsightsList",
    "EnvelopedInsightsListAnswer",
    "EnvelopedIntent",
    "EnvelopedIntents",
    "EnvelopedIntentsAnswer",
    "EnvelopedListFailure",
    "EnvelopedPeriodRules",
    "EnvelopedPlatform",
    "EnvelopedReviewAtEvent",
    "EnvelopedStatus",
    "EnvelopedTerms",
    "EnvelopedUpdate",
    "ErasureState",
    "ErrorReason",
    "Event",
    "EventData",
    "EventList",
    "EventPrevious",
    "EventType",
    "EventTypeChoice",
    "FieldError",
    "FlatBudgetPeriod",
    "FlatChange",
    "FlatChangeRequested",
    "FlatChangeValues",
    "FlatError",
    "FlatErrorCode",
    "FlatGoal",
    "FlatListFailure",
    "FlatPeriodRules",
    "FlatStatus",
    "FlatTerms",
    "ForbiddenInName",
    "Granularity",
    "Health",
    "HealthStatus",
    "InsightsNumber",
    "InsightsRow",
    "IntentState",
    "JsonObject",
    "LimitCreates",
    "LimitLeft",
    "LimitName",
    "LimitOwner",
    "LimitRefusal",
    "LimitSum",
    "Limits",
    "MinimumBudget",
    "MultiTargetCreate",
    "NameRules",
    "NameUnit",
    "NewApiKey",
    "NewBudget",
    "NewCampaignDefaults",
    "NewRedirectUri",
    "NewWebhookEndpoint",
    "Pacing",
    "Pagination",
    "PayloadShape",
    "Ping",
    "PingType",
    "Plan",
    "Platform",
    "PlatformApiVersion",
    "PlatformFault",
    "PlatformList",
    "PlatformOAuth",
    "PlatformRequest",
    "PlatformTable",
    "PortalSession",
    "PreviousApiKey",
    "PreviousBilling",
    "PreviousChange",
    "PreviousConnection",
    "PreviousUser",
    "PreviousWebhookEndpoint",
    "QuotaAtEvent",
    "Received",
    "RedirectUri",
    "RedirectUriAnswer",
    "RedirectUriList",
    "RefusedCampaign",
    "RemovalPreview",
    "ReplayRequest",
    "ReplayResult",
    "ReviewAtEvent",
    "RotatedApiKey",
    "Scope",
    "Shape",
    "SkipReason",
    "SkippedAccount",
    "SpendingLimit",
    "SpendingLimitAnswer",
    "StoppedApiKey",
    "SyncResult",
    "SyncedConnection",
    "Target",
    "TargetAccount",
    "TargetResults",
    "TargetStatus",
    "TargetSummary",
    "TargetVerdict",
    "UndoRequest",
    "UsageLogEntry",
    "UsageLogList",
    "User",
    "UserAtEvent",
    "UserDetails",
    "UserErasure",
    "UserLimits",
    "UserList",
    "UserPause",
    "UserSpendingLimit",
    "UserSpendingLimitAnswer",
    "UserUpdate",
    "UserWaiting",
    "WebhookEndpoint",
    "WebhookEndpointChanges",
    "WebhookEndpointList",
    "WebhookEndpointStatus",
    "WebhookEndpointWithSecret",
    "WebhookEvent",
    "WebhookEventData",
)
