// SPDX-License-Identifier: Apache-2.0
package dev.mooring.attachdetach.control;

/** The names of this controller's effects: back-off is kept per key and operation. */
final class AttachmentOperations {
    static final String CREATE = "create-attachment";
    static final String ADOPT = "adopt-attachment";
    static final String ADOPT_VOLUME = "adopt-volume";
    static final String ATTACH = "attach";
    static final String COMPARE = "compare-attachment";
    static final String SHOW_ATTACHED = "show-attached";
    static final String SHOW_ERROR = "show-error";
    static final String MARK = "mark-attachment";
    static final String REQUEST_DETACH = "request-detach";
    static final String WITHDRAW = "withdraw-detach";
    static final String CLEAR = "clear-attachment";
    static final String MOVE = "move-attachment";
    static final String PROVE_UNUSED = "prove-unused";
    static final String BEGIN_DETACH = "begin-detach";
    /** How the same begins where an external attacher detaches by force, before the evidence's word: no mark of ours can say why. */
    static final String FORCE_DETACH = "force-detach-";

    static final String DETACH = "detach";
    static final String FENCE = "fence";
    static final String UNFENCE = "unfence";
    static final String ORDER_FENCE = "order-fence";
    static final String LIFT_FENCE = "lift-fence";
    static final String RECORD_DANGLING = "record-dangling-attachment";
    static final String RELEASE = "release-attachment";
    static final String FORGET = "forget-attachment";
    static final String REPORT_ATTACHED = "report-attached";
    static final String CONFIRM = "confirm-attachment";

    private AttachmentOperations() {}
}
