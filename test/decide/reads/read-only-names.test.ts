/** Names of tools of public MCP servers (as of 2026), and whether a careful person lets each run unseen: `mcp__srv__*(read-only)`. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isReadName } from '../../../src/call/mcp-subjects.js';
import { decideIn } from '../world.js';

/** By server: names that only read, then names that do more, or whose answer is a secret or is used up. */
const NAMES: Readonly<Record<string, readonly [reads: string, more: string]>> = {
  github: [
    'get_me get_issue list_issues search_issues get_issue_comments list_issue_types list_sub_issues search_code search_repositories ' +
      'get_commit list_commits list_branches list_tags get_tag list_releases get_latest_release get_release_by_tag get_file_contents ' +
      'get_pull_request list_pull_requests search_pull_requests get_pull_request_files get_pull_request_diff get_pull_request_status ' +
      'get_pull_request_reviews list_workflows list_workflow_runs get_workflow_run list_workflow_jobs get_job_logs ' +
      'list_workflow_run_artifacts get_code_scanning_alert list_dependabot_alerts list_notifications get_notification_details ' +
      'search_users list_discussions get_discussion_comments list_gists get_repository_tree get_team_members',
    'create_issue update_issue add_issue_comment merge_pull_request push_files fork_repository rerun_failed_jobs run_workflow ' +
      'cancel_workflow_run delete_file dismiss_notification mark_all_notifications_read star_repository get_secret_scanning_secret',
  ],
  gitlab: [
    'get_project list_projects search_repositories get_merge_request list_merge_requests get_merge_request_diffs list_pipelines ' +
      'get_pipeline_job_output list_milestones get_users list_group_projects get_namespace list_labels get_wiki_page list_commits',
    'create_merge_request retry_pipeline play_pipeline_job list_project_variables get_variable create_or_update_file',
  ],
  slack: [
    'list_channels get_channel_history get_thread_replies get_users get_user_profile search_messages conversations_list',
    'post_message reply_to_thread add_reaction set_topic check_out',
  ],
  postgres: [
    'list_schemas list_tables describe_table list_objects get_object_details get_top_queries',
    'query execute_sql explain_query analyze_db_health',
  ],
  kubernetes: [
    'list_pods get_pod get_pod_logs list_namespaces describe_pod list_deployments get_events list_nodes get_resource_usage',
    'kubectl_get get_kubeconfig exec_in_pod apply_manifest scale_deployment rollout_restart delete_pod port_forward get_secret get_config',
  ],
  playwright: [
    'list_tabs get_page_text get_console_messages list_network_requests',
    'browser_navigate browser_click browser_type browser_evaluate browser_file_upload browser_run_code get_cookies',
  ],
  filesystem: [
    'read_file read_text_file read_multiple_files list_directory list_directory_with_sizes directory_listing search_files get_file_info ' +
      'list_allowed_directories',
    'write_file edit_file create_directory move_file directory_tree',
  ],
  atlassian: [
    'getJiraIssue searchJiraIssuesUsingJql getConfluencePage getConfluenceSpaces getVisibleJiraProjects lookupJiraAccountId ' +
      'getConfluencePageDescendants getConfluencePageFooterComments search get_board_issues get_sprint_issues get_worklog get_agile_boards',
    'createJiraIssue editJiraIssue transitionJiraIssue addCommentToJiraIssue updateConfluencePage add_worklog getTransitionsAndApply',
  ],
  notion: ['search get_users get_comments list_databases get_page_property', 'create_pages move_pages duplicate_page fetch'],
  aws: [
    'search_documentation read_documentation list_buckets describe_instances get_cost_and_usage list_functions get_metric_data ' +
      'describe_log_groups get_active_alarms list_knowledge_bases get_bucket_location',
    'call_aws invoke_function send_message get_secret_value start_query get_session_token terminate_instances get_ecr_login put_object',
  ],
  sentry: [
    'find_organizations find_teams find_projects find_releases get_issue_details search_events get_trace_details search_issues ' +
      'get_event_attachment get_issue_tag_values',
    'update_issue create_dsn resolve_issue find_dsns analyze_issue_with_seer begin_seer_fix',
  ],
  linear: [
    'list_issues get_issue list_teams list_cycles get_document list_issue_statuses get_project list_my_issues',
    'create_comment',
  ],
  figma: ['get_metadata get_screenshot', 'create_design_system_rules add_code_connect_map'],
  mongodb: [
    'find count list-collections list-databases collection-indexes db-stats',
    'aggregate insert-many drop-collection create-index delete-many rename-collection',
  ],
  stripe: [
    'list_customers list_invoices list_products search_documentation',
    'create_refund cancel_subscription finalize_invoice',
  ],
  queues: [
    'get_queue_stats list_jobs get_job_status',
    'get_next_job list_clear pop_message receive_message get_and_delete take_job peek_lock read_ack list_flush view_purge show_stop',
  ],
  serena: [
    'find_symbol get_symbols_overview find_referencing_symbols search_for_pattern list_dir list_memories',
    'replace_regex',
  ],
  others: [
    'list get_weather_forecast get_stock_price get-library-docs search_web_pages list_resources_v2 get_user_by_email view_source',
    'get_shutdown get_evaluate find_fix read_mark_as_read get_by list_for check_in getPassword list_api_keys get_access_token get_env_vars',
  ],
};

/** Read, but not by a verb at their beginning or by a word that is known: a person is asked. */
const ASKED: ReadonlySet<string> = new Set(
  'conversations_list directory_listing searchJiraIssuesUsingJql get_cost_and_usage collection-indexes db-stats'.split(' '),
);

for (const [server, [reads, more]] of Object.entries(NAMES)) {
  test(`${server}: names that only read`, () => {
    const wrong = reads.split(' ').filter((name) => isReadName(name) === ASKED.has(name));
    assert.equal(wrong, []);
  });
  test(`${server}: names that do more`, () => {
    const wrong = more
      .split(' ')
      .filter(
        (name) => isReadName(name) || decideIn({ allow: ['mcp__s__*(read-only)'] }, `mcp__s__${name}`, {}).decision === 'allow',
      );
    assert.equal(wrong, []);
  });
}

test('at least 150 names', () => {
  const count = Object.values(NAMES).flatMap((names) => names.flatMap((text) => text.split(' '))).length;
  assert.ok(count >= 150, `${count}`);
});

test.run();
