// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.control;

/** The names of what the agent does: back-off is kept per key and operation. */
public final class AgentOperations {
    static final String RECORD = "record";
    static final String PUBLISH = "publish";
    static final String REFRESH = "refresh";
    static final String UNPUBLISH = "unpublish";
    static final String STAGE = "stage";
    static final String COMPLETE = "complete";
    static final String UNSTAGE = "unstage";
    static final String CHECK_ATTACHMENT = "check-attachment";
    static final String ANNOTATE_NODE = "annotate-node";
    static final String VERIFY = "verify";
    static final String CLEAN = "clean";
    static final String MEASURE = "measure";
    static final String LOOK = "check-condition";
    static final String EVICT_POD = "evict-pod";
    static final String TAKE_AWAY = "take-away";
    static final String EXPAND = "expand";
    static final String MARK_GROWTH = "mark-growth";
    static final String CONFIRM_POD = "confirm-pod";
    public static final String CHECK_CLAIM = "check-claim";
    public static final String CHECK_VOLUME = "check-volume";
    public static final String CHECK_CLASS = "check-class";
    public static final String CHECK_ATTRIBUTES = "check-attributes";
    static final String CHECK_NODE = "check-node";
    static final String RUN_POD = "run-pod";
    static final String END_POD = "end-pod";
    static final String REPORT_NODE = "report-node";
    public static final String PERFORM = "perform";
    static final String DISCOVER = "discover";
    static final String CREATE_VOLUME = "create-volume";
    public static final String WRITE_RESULT = "write-result";

    private AgentOperations() {}
}
