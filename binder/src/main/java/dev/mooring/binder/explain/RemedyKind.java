// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import org.apiguardian.api.API;

/** What a remedy does. A test carries out a remedy of each kind and looks at what comes of it. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum RemedyKind {
    /** The claim gets the volume of an earlier claim of its name, with the data. */
    ADOPT,
    /** The volume waits, with the data, for a claim of the namespace and name that it was bound to. */
    REBIND,
    /** The same as {@link #REBIND}, by a patch that nothing checks. */
    REBIND_BY_PATCH,
    /** The claim gets the volume of an earlier claim of its name after something else is put right. */
    PREPARE_AND_ADOPT,
    /** The claim gets a volume whose claim, of another name, has gone, with that claim's data. */
    ADOPT_FROM_OTHER,
    /** The volume goes, with the data, to any claim that fits. */
    DISCARD,
    /** The same as {@link #DISCARD}, by a patch that nothing checks. */
    DISCARD_BY_PATCH,
    /** The volume object goes; its policy Retain leaves the data where it is. */
    DELETE_VOLUME,
    /** The mark of a reclaim that does not go on is removed from the volume. */
    UNMARK,
    /** The volume's policy becomes Retain: nothing touches the storage any more. */
    RETAIN,
    /** A volume is added that only this claim gets. */
    ADD_VOLUME,
    /** The volume that a bound claim has lost is made again, for this claim only. */
    RESTORE_VOLUME,
    /** A free volume is changed so that it fits the claim, and kept for it. */
    FIT_VOLUME,
    /** The claim is made again so that it fits a volume. */
    FIT_CLAIM,
    /** The claim is made again without what is wrong with it, or without the volume that it cannot have. */
    REPLACE_CLAIM,
    /** A claim that was bound names its volume again. */
    NAME_VOLUME,
    /** The claim is made again with a storage class that exists. */
    CHOOSE_CLASS,
    /** A storage class becomes the default. */
    DEFAULT_CLASS,
    /** A storage class is made again with a binding mode. */
    REPLACE_CLASS,
    /** A pod is made that uses the claim. */
    START_POD,
    /** The node of a pod that was placed without the scheduler is selected for the claim. */
    SELECT_NODE,
    /** The selection of a node is taken back. */
    DESELECT_NODE,
    /** A node is added on which the claim can be served. */
    ADD_NODE,
    /** A person checks whether a program runs that has to act. */
    LOOK,
    /** Pods that keep a claim are deleted. */
    DELETE_PODS,
    /** The claim that keeps a volume is deleted. */
    DELETE_CLAIM,
    /** The claim asks for less than what was refused. */
    ASK_FOR_LESS,
    /** A claim is made for a volume that waits for it. */
    MAKE_CLAIM,
    /** A malformed volume is put right. */
    CORRECT_VOLUME,
    /** A pod is made again. */
    REPLACE_POD,
    /** A node takes pods again. */
    UNCORDON,
    /** A node that is off, and stays off, is declared to be so: its volumes are detached by force. */
    OUT_OF_SERVICE,
    /** A node that was declared to be off, and is back, is declared to be so no longer. */
    BACK_IN_SERVICE,
    /** An object that a pod's volume is made of is created. */
    MAKE_CONTENT,
    /** A storage class is made again under its name, since a class cannot be changed. */
    CORRECT_CLASS,
    /** A storage class is no longer the default. */
    NOT_DEFAULT
}
