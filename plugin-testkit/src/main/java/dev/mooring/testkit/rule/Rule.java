// SPDX-License-Identifier: Apache-2.0
package dev.mooring.testkit.rule;

import org.apiguardian.api.API;

/** The rules of the contract with plugins that the kit checks. The numbers never change; new rules are added at the end. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public enum Rule {
    /** The descriptor is a constant. */
    CONSTANT_DESCRIPTION(
            "K01",
            "A plugin describes itself in the same words at every call.",
            "Records, annotations and metrics carry the name; what changes its name loses its volumes.",
            "Answer describe() with a constant."),
    /** Identities. */
    ONE_IDENTITY_PER_VOLUME(
            "K02",
            "A volume has one identity, and two volumes have two.",
            "The identity is the lock of the storage: two for one let two nodes write at once, one for two blocks both.",
            "Compute identify() from what names the storage and from nothing else, normalised."),
    /** Validation. */
    ALL_FAULTS_NAMED(
            "K03",
            "validate names every fault of a source, and finds none in a good one.",
            "A fault that is accepted here fails on a node, hours later, for a user who did not write the volume.",
            "Return a FieldProblem for every field that is missing, of a wrong type, or of another driver."),
    /** Nothing is thrown. */
    OUTCOME_ALWAYS(
            "K04",
            "A call answers with an Outcome; it throws nothing and never answers null.",
            "After an exception it is unknown what exists. The host treats it as Uncertain and may not go on.",
            "Turn every failure into refused, deferred or uncertain. The answer has to be true."),
    /** Planning is pure. */
    PURE_PLAN(
            "K05",
            "plan is pure: equal requests, equal plans, at least the size requested, a source that validate accepts, and the node, and no other, if the data is on one.",
            "Another controller, or this one after a restart, plans again and has to plan the same volume. Without its node a volume is never deleted; with a wrong node pods wait for ever.",
            "Compute the plan from the request alone; round sizes up; refuse what you cannot give; name a node by the label that it has, which need not be its name."),
    /** Parameters. */
    UNKNOWN_PARAMETERS_REFUSED(
            "K06",
            "A parameter or setting that is unknown or wrong is refused as INVALID.",
            "A misspelt parameter that is ignored gives a wrong volume without any message.",
            "Look at every key in the map, and name the unknown one."),
    /** Undeclared behaviour is refused. */
    UNDECLARED_REFUSED(
            "K07",
            "What is not declared is refused: block mode without BlockMapping, mount options without support for them.",
            "A pod that asks for a raw device and gets a directory corrupts its data; silence is the worst answer.",
            "Look at volume mode and mount options in plan, stage and publish; refuse with UNSUPPORTED or INVALID."),
    /** Repetition. */
    CALLS_IDEMPOTENT(
            "K08",
            "A call that is repeated is done once, and answers the same every time.",
            "Answers get lost, and the host repeats the call until it has one. Ten calls must have the effect of one.",
            "Look whether the work is done already before doing it; answer what the first call answered."),
    /** Undoing repeatedly. */
    UNDOING_IDEMPOTENT(
            "K09",
            "Undoing may be repeated, and undoing what was never done is Done.",
            "The host undoes everything that may exist. If a plugin refuses, pods do not end and claims stay.",
            "Treat the absence of what is to be removed as success."),
    /** Undoing leaves nothing. */
    NOTHING_LEFT_BEHIND(
            "K10",
            "What a call made, its undoing removes: mounts, files, sessions, devices.",
            "Leftovers fill the node and hold volumes that other nodes wait for. No later call looks at them.",
            "Undo every step of the call, last step first."),
    /** Lost answers. */
    UNDONE_WITHOUT_STATE(
            "K11",
            "Undoing works when the answer was lost, without the state that the call returned.",
            "After a crash the host has only what the plugin remembered before, or nothing.",
            "Look at the machine to recognise your volume, or call context.remember(state) before the effect."),
    /** Crash, then again. */
    CALL_SURVIVES_CRASH(
            "K12",
            "After a crash at any point, the same call goes on to the end.",
            "Machines lose power between any two steps; a volume that cannot be made again is lost with its data.",
            "Write down the intent before the effect, look at what exists, and continue from there."),
    /** Crash, then undo. */
    UNDOING_SURVIVES_CRASH(
            "K13",
            "After a crash at any point, undoing removes what the call has made.",
            "A pod that was deleted meanwhile must not leave half a mount or half a directory for ever.",
            "Undo every part that exists. Never assume that the call was finished."),
    /** True answers. */
    REFUSAL_CHANGES_NOTHING(
            "K14",
            "Refused and Deferred are answered only if nothing was changed.",
            "The host undoes nothing after them, so what was made stays and is forgotten.",
            "Answer Uncertain as soon as a step may have had an effect, or take the effect back first."),
    /** Deadlines. */
    DEADLINE_OBEYED(
            "K15",
            "A call whose deadline is a millisecond away ends soon, with a true answer.",
            "A call that waits past its deadline holds a slot of the pool and, in the end, all volumes of the back-end.",
            "Pass the deadline to every tool and every wait. After it, answer Uncertain unless you know the outcome."),
    /** Cancellation. */
    CANCELLATION_TRUTHFUL(
            "K16",
            "A call that is cancelled at any point still answers what is true.",
            "Cancelled is not undone: the host goes on from the answer as from any other.",
            "Stop early where that is safe, finish where it is not, and never answer Done for half of the work."),
    /** Failures of the host. */
    HOST_FAILURE_REPORTED(
            "K17",
            "A service of the host that fails at any point does not make the plugin claim success, and holds up no later call.",
            "After Done the host does not look again, and the pod runs on a directory of the node.",
            "Pass on every outcome of the host: chain calls with then(). Release locks in finally."),
    /** Concurrency on many volumes. */
    VOLUMES_INDEPENDENT(
            "K18",
            "Calls for several volumes at once do not disturb each other.",
            "The host makes calls for many volumes at a time, on threads of its own.",
            "Keep no mutable fields; what has to be shared needs a lock, and no lock is held while waiting for storage."),
    /** Concurrency on one volume. */
    PODS_INDEPENDENT(
            "K19",
            "Two pods that get one volume at once both get it, and each keeps it when the other goes.",
            "Pods start and end in any order. The end of one must not take the storage away from another.",
            "Undo only what belongs to the pod; count users by looking at what exists, not in memory."),
    /** The wrong node. */
    OTHER_NODE_REFUSED(
            "K20",
            "A volume that is on another node is refused.",
            "A node that makes the directory again shows an empty volume, and the application starts from nothing.",
            "Compare the node of the request, or the affinity noted on the volume, with context.node()."),
    /** Long names. */
    LONG_NAMES_DISTINCT(
            "K21",
            "The longest names that Kubernetes allows are served or refused, and different names never meet.",
            "Names of 253 characters exist; cut off or escaped carelessly, two volumes become one.",
            "Use the name as it is, refuse what is too long, or use a digest of the whole name."),
    /** Descriptors. */
    EVERYTHING_CLOSED(
            "K22",
            "Every PinnedPath that is opened is closed, and every file and socket of the plugin's own.",
            "A descriptor that stays keeps the volume busy: it can never be unmounted again. One more at every call, and the node's agent can open nothing any more.",
            "Open by try-with-resources, files, sockets and processes too; close also what is opened only to be looked at."),
    /** Threads and processes. */
    NO_THREAD_OR_PROCESS_LEFT(
            "K23",
            "When a call has returned, no thread and no process of it is left.",
            "Work that still runs changes the storage after the host has used the answer.",
            "Start no threads; run tools by context.host().processes()."),
    /** Secrets. */
    SECRETS_HIDDEN(
            "K24",
            "Secrets show nowhere: not in answers, states, notes, notices, logs, arguments, files or exceptions.",
            "Answers become events that all of the namespace can read, logs leave the cluster, arguments are seen by all.",
            "Give secrets to tools by Command.withInput, and never put a SecretValue's bytes into a text."),
    /** No shell. */
    NO_SHELL(
            "K25",
            "Tools are run by argument lists, never by a shell.",
            "A volume's name or an option with a semicolon in it runs as root on every node.",
            "Name the tool itself in Command, with one argument per word."),
    /** Read-only. */
    READ_ONLY_FROM_THE_START(
            "K26",
            "A read-only request never gives a writable mount.",
            "The user asked for read-only to protect the data. One writable instant is enough to lose it.",
            "Pass request.readOnly() on to bind or mount; do not remount afterwards."),
    /** Data. */
    DATA_KEPT(
            "K27",
            "What was written, and the mode a pod gave the volume, is still there after publishing again, elsewhere, after a start, or growing.",
            "This is what volumes are for.",
            "Never format, empty or replace what may hold data; set modes when the volume is made, not when it is shown."),
    /** New volumes are empty. */
    NEW_VOLUME_EMPTY(
            "K28",
            "A deleted volume is gone, and a new one is empty even if it has the name of an old one.",
            "If it is not empty, the next claim reads the data of the last one.",
            "Remove the content before the record of it, and refuse storage that is not empty."),
    /** Foreign storage. */
    ONLY_OWN_STORAGE_DELETED(
            "K29",
            "delete and recycle touch only what the plugin knows to be the volume's, however alike names are.",
            "A volume written by hand may name any path or export. Deleting it would delete foreign data.",
            "Keep a record of what you made, by identity, not by name; refuse without proof."),
    /** Sizes. */
    GROWTH_NEVER_SHRINKS(
            "K30",
            "Growing ends with at least the requested size, may be repeated, and never shrinks.",
            "Shrinking under a file system destroys it; an answer below the requested size makes the claim wait for ever.",
            "Compare with what there is, and answer the true size."),
    /** No memory. */
    NO_STATE_IN_MEMORY(
            "K31",
            "A plugin object remembers nothing: another one can go on where it ended.",
            "The agent restarts, and undoing is done by a process that never saw the call.",
            "Keep what you need in the PluginState, in context.remember, or in your state directory."),
    /** Attachments. */
    OBSERVATION_PROVEN(
            "K32",
            "observe answers for every volume asked, and says ATTACHED or DETACHED only with evidence.",
            "The controller believes it, and lets another node have the volume.",
            "Answer UNKNOWN if the back-end could not be asked."),
    /** Places. */
    OWN_PLACE_FOR_EACH_VOLUME(
            "K33",
            "Places that a plugin names are relative, without '..', the same at every call, another one for each volume.",
            "The host refuses others; two volumes in one place would be mounted over each other.",
            "Keep the defaults of stagingDirectory and mapDirectory, or compute yours from the whole identity."),
    /** Emptying. */
    RECYCLING_REMOVES_ALL(
            "K34",
            "recycle removes all content, hidden files too, and keeps the volume.",
            "The next claim gets this volume as it is.",
            "Empty it by context.host().files().empty(...)."),
    /** Measuring. */
    STATISTICS_CONSISTENT(
            "K35",
            "Statistics are numbers that fit together, and measuring changes nothing.",
            "They decide which pods are evicted.",
            "used and available are at most the capacity, free inodes at most the inodes; nothing is negative."),
    /** No machine. */
    MACHINE_REQUIRED(
            "K36",
            "A call for which there is no machine is refused, and nothing is invented.",
            "A controller has no disks. Done from there means a volume that exists nowhere.",
            "Pass the refusal of the host on, or refuse where context.node() is empty."),
    /** Raw devices. */
    ONE_DEVICE_PER_VOLUME(
            "K37",
            "A raw device belongs to one volume and is the same for all of its pods. If the node does not always have it, it appears with stage and disappears with unstage.",
            "A database writes to the device that it gets. Another volume's device, or one device for two volumes, loses data.",
            "Find the device by the volume's identity at every map; attach in stage, and detach in unstage."),
    /** Fencing. */
    FENCING_PROVEN(
            "K38",
            "fence is Done only when the lost node certainly cannot write any more. This node keeps its access.",
            "After Done the volume is given to another node: two writers destroy a file system in seconds.",
            "Ask the storage afterwards whether the node is locked out, and answer Uncertain unless it says so."),
    /** Recognising. */
    OWN_VOLUMES_RECONSTRUCTED(
            "K39",
            "reconstruct recognises its own volumes and nothing else, changes nothing, and what it answers can be undone.",
            "A recognised volume is unmounted when its pod is deleted. A state that undoes nothing stays for ever.",
            "Compare what is mounted with what you would have mounted; refuse with NOT_FOUND everything else."),
    /** Modifying. */
    ALL_ATTRIBUTES_OR_NONE(
            "K40",
            "modify gives all attributes or answers that it has not; so does provision. Storage whose change is refused keeps its attributes.",
            "Half a change costs money, and no object shows it. After Done the host does not look again.",
            "Look at all attributes before the first effect, and compare with what the storage has before answering."),
    /** Foreign mounts. */
    FOREIGN_MOUNTS_KEPT(
            "K41",
            "A foreign mount at the target is not treated as the volume, not covered, and not unmounted.",
            "The pod would write into foreign storage, or another program would lose a mount that it uses.",
            "Give Mounts.unmount an expectation of what you mounted, not of what is there, nor of a number alone. Pass on its refusals."),
    /** An ordinary volume works. */
    ORDINARY_VOLUME_WORKS(
            "K42",
            "An ordinary volume can be made, prepared, shown to a pod, and taken back.",
            "Every other rule is tried on such a volume. Checks that need a step that fails here are skipped.",
            "Read the answer. Fix the plugin, or give the kit what the plugin needs: volumes (existing), parameters (parameters), or a machine with its tools (machine)."),
    /** Notices. */
    FEW_NOTICES(
            "K43",
            "A call reports at most 20 different notices, and no notice that only counts.",
            "Each notice is an event that people read. Those beyond the bound are only logged. Too many hide what needs action.",
            "Report what changes for the user, once; say how far a long call is when it begins, not at every step."),
    /** Cloning. */
    CLONE_STANDS_ALONE(
            "K44",
            "A clone is storage of its own, made once from a source that stays as it was, and outlives the source.",
            "Users clone a volume to try something on it. Shared storage, or a source that is changed, loses their data.",
            "Copy into storage that is no volume yet; let it become the volume in one step when all of it is written."),
    /** Snapshots. */
    SNAPSHOT_STANDS_ALONE(
            "K45",
            "A snapshot is made once, holds what its volume held, and outlives it. Volumes made from it stand alone and outlive it.",
            "Users take a snapshot to get lost data back. One that follows its volume, or goes with it, has nothing to give.",
            "Copy into storage that is no snapshot yet; answer Done when all of it is written, and never read the volume again."),
    /** Capacity. */
    FREE_SPACE_TRUE(
            "K46",
            "Free space is true: never negative, not nothing where volumes can be made, with no larger volume than the largest, and asking changes nothing.",
            "Schedulers believe it. Too little, and pods wait for ever; too much, and they go where their volumes cannot be made.",
            "Ask the storage at every call. Leave the largest volume out if there is none.");

    private final String id;
    private final String text;
    private final String why;
    private final String remedy;

    Rule(String id, String text, String why, String remedy) {
        this.id = id;
        this.text = text;
        this.why = why;
        this.remedy = remedy;
    }

    /** The number by which documents name the rule. */
    public String id() {
        return id;
    }

    /** The rule, in one sentence. */
    public String text() {
        return text;
    }

    /** What happens to users of a plugin that breaks it. */
    public String why() {
        return why;
    }

    /** What the author of such a plugin does. */
    public String remedy() {
        return remedy;
    }
}
