// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import org.apiguardian.api.API;

/** What keeps an object in its state. Stable names for programs; the text beside them is for people. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum CauseCode {
    /** Nothing is wrong with the object. */
    NOTHING_WRONG,
    /** All conditions hold; the binder has only to write it, or is writing. */
    BIND_DUE,
    /** A field of the claim cannot be acted upon. */
    INVALID,
    /** No volume is free at all. */
    NO_FREE_VOLUME,
    /** There are free volumes, but each is excluded by several rules. */
    NO_VOLUME_FITS,
    /** A volume would fit if it were larger. */
    TOO_SMALL,
    /** A volume would fit if its storage class were the claim's. */
    STORAGE_CLASS,
    /** A volume would fit if it had another access mode too. */
    ACCESS_MODES,
    /** A volume would fit, but one is a block device and the other a file system. */
    VOLUME_MODE,
    /** A volume would fit if its volume attributes class were the claim's. */
    ATTRIBUTES_CLASS,
    /** A volume would fit if the claim's selector selected it. */
    SELECTOR,
    /** The claim's selector cannot be understood. */
    SELECTOR_INVALID,
    /** Volumes fit, but are reached from no node on which a pod of the claim may run. */
    NODE_AFFINITY,
    /** A volume would fit, but still belongs to an older claim that has gone. */
    RELEASED,
    /** A volume would fit, but is kept for another claim. */
    PRE_BOUND,
    /** A volume would fit, but is being deleted. */
    VOLUME_TERMINATING,
    /** A volume would fit, but its storage is being reclaimed. */
    VOLUME_RECLAIMING,
    /** A volume would fit, but its phase says that it cannot be used. */
    VOLUME_NOT_AVAILABLE,
    /** The claim names a class that does not exist. */
    CLASS_NOT_FOUND,
    /** The claim names no class, and no class is the default. */
    NO_DEFAULT_CLASS,
    /** The class does not say when to bind. */
    CLASS_WITHOUT_BINDING_MODE,
    /** The class waits for a pod that uses the claim. */
    WAITING_FOR_CONSUMER,
    /** Pods use the claim; the scheduler has to place one of them. */
    WAITING_FOR_SCHEDULING,
    /** Every node has attached as many volumes of the driver as it can. */
    ATTACH_LIMIT,
    /** The class allows only places where no node is. */
    TOPOLOGY,
    /** The node that was selected does not exist. */
    SELECTED_NODE_GONE,
    /** The node that was selected is not ready. */
    SELECTED_NODE_NOT_READY,
    /** An external provisioner has to make the volume. */
    EXTERNAL_PROVISIONER,
    /** A populator from outside has to make the volume. */
    EXTERNAL_POPULATOR,
    /** A provisioner of this control plane has to make the volume. */
    PROVISIONING,
    /** The last try to make the volume failed, or cannot succeed. */
    PROVISIONING_FAILED,
    /** No plugin or driver makes volumes of this class. */
    NO_PROVISIONER,
    /** The class names a plugin that is not part of this control plane. */
    PROVISIONER_UNKNOWN,
    /** Provisioning is switched off. */
    PROVISIONING_OFF,
    /** The volume that the claim names does not exist. */
    NAMED_VOLUME_MISSING,
    /** The volume that the claim names does not fit. */
    NAMED_VOLUME_MISMATCH,
    /** The volume that the claim names belongs to another claim. */
    NAMED_VOLUME_TAKEN,
    /** A bound claim names no volume any more. */
    LOST_REFERENCE,
    /** The volume of a bound claim does not exist any more. */
    LOST_VOLUME,
    /** The volume of a bound claim is bound to another claim. */
    MISBOUND,
    /** It is being deleted, and a finalizer keeps it. */
    HELD_BY_FINALIZER,
    /** It is being deleted, and pods still use it. */
    USED_BY_PODS,
    /** A volume is being deleted, but a claim is bound to it. */
    USED_BY_CLAIM,
    /** A volume is being deleted, or its storage is to be reclaimed, but it is attached to a node. */
    ATTACHED,
    /** The claim asks for more than it has, and the expansion is under way. */
    EXPANDING,
    /** The claim asks for more than it has, and the expansion failed. */
    EXPANSION_FAILED,
    /** A volume is kept for a claim that does not exist yet. */
    WAITING_FOR_CLAIM,
    /** The volume's claim has gone, and its policy keeps volume and data. */
    RETAINED,
    /** The volume's claim was deleted; a claim with its name is another one. */
    CLAIM_REPLACED,
    /** The volume's storage has to be destroyed by an external provisioner. */
    EXTERNAL_DELETER,
    /** The volume's storage is being destroyed or emptied. */
    RECLAIMING,
    /** Destroying or emptying the volume's storage failed. */
    RECLAIM_FAILED,
    /** The volume's reclaim policy is none that is known. */
    POLICY_UNKNOWN,
    /** The pod has ended, or only its containers are waited for: no volume keeps it. */
    NO_VOLUME_WAITS,
    /** A claim that the pod names does not exist. */
    CLAIM_MISSING,
    /** A claim that the pod names belongs to another owner than the pod's ephemeral volume. */
    CLAIM_OF_ANOTHER,
    /** A claim that the pod names is not bound. */
    CLAIM_PENDING,
    /** A claim that the pod names has lost its volume. */
    CLAIM_LOST,
    /** A claim that the pod names is being deleted. */
    CLAIM_TERMINATING,
    /** Another pod uses a claim that only one pod may use. */
    CLAIM_EXCLUSIVE,
    /** Something holds the pod back from the scheduler. */
    POD_GATED,
    /** The scheduler has not chosen a node for the pod. */
    POD_UNSCHEDULED,
    /** The only nodes that reach a volume take no pods. */
    NODE_CORDONED,
    /** The pod is being deleted. */
    POD_TERMINATING,
    /** A node that is named does not exist. */
    NODE_GONE,
    /** The node is not ready. */
    NODE_NOT_READY,
    /** A node that is not ready is said to be off and to stay so. */
    NODE_OUT_OF_SERVICE,
    /** The node does not have the driver of a volume. */
    DRIVER_NOT_REGISTERED,
    /** A volume is attached to another node, and may be to one only. */
    MULTI_ATTACH,
    /** A volume is not attached to the node yet. */
    NOT_ATTACHED,
    /** Attaching a volume failed. */
    ATTACH_FAILED,
    /** A volume is being detached. */
    DETACHING,
    /** Detaching a volume failed. */
    DETACH_FAILED,
    /** A volume is attached, but the node's agent has not said that it uses it. */
    NOT_IN_USE,
    /** A volume is attached to a node on which no pod uses it. */
    UNUSED_ATTACHMENT,
    /** A secret or configMap that a volume is made of does not exist. */
    CONTENT_MISSING,
    /** Mounting a volume failed. */
    MOUNT_FAILED,
    /** The node's agent has to mount the volumes. */
    MOUNTING,
    /** Several storage classes are the default. */
    SEVERAL_DEFAULT_CLASSES
}
