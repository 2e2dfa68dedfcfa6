// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

/** The names of the binder's effects: back-off is kept per key and operation. */
final class BinderOperations {
    static final String CLAIM_VOLUME = "claim-volume";
    static final String NAME_VOLUME = "name-volume";
    static final String SHOW_VOLUME_PHASE = "show-volume-phase";
    static final String SHOW_CLAIM_PHASE = "show-claim-phase";
    static final String SET_DEFAULT_CLASS = "set-default-class";
    static final String ASK_PROVISIONER = "ask-provisioner";
    static final String FIND_PROVISIONED = "find-provisioned";
    static final String PROTECT_SOURCE = "protect-source";
    static final String PROVISION = "provision";
    static final String CREATE_VOLUME = "create-volume";
    static final String SET_FINALIZERS = "set-finalizers";
    static final String CONFIRM_VOLUME = "confirm-volume";
    static final String CONFIRM_CLAIM = "confirm-claim";
    static final String MARK_RECLAIMING = "mark-reclaiming";
    static final String UNMARK_RECLAIMING = "unmark-reclaiming";
    static final String UNBIND = "unbind";
    static final String RECYCLE = "recycle";
    static final String DELETE = "delete";
    static final String FINISH_DELETE = "finish-delete";
    static final String DELETE_VOLUME = "delete-volume";

    static final String MARK_MIGRATED = "mark-migrated";
    static final String SELECT_NODE = "select-node";
    static final String CONFIRM_NODE = "confirm-node";
    static final String DELETE_MADE = "delete-made";
    static final String CLOSE_INTENT = "close-intent";

    private BinderOperations() {}
}
