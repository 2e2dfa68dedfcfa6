// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.explain;

import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.Node;
import dev.mooring.storage.model.ObjectKey;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apiguardian.api.API;

/** One step of a remedy, as data: the command that people see is written from it, and tests carry it out. Immutable. */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public sealed interface RemedyAction {
    /** A shell command that does it; empty where people have to write a manifest. Never null. */
    String command();

    /**
     * Gives a volume, with its data, to a claim that exists.
     *
     * @param volume the volume's name
     * @param claim the claim that gets it
     * @param named whether the claim has another name than the claim that the volume was bound to
     */
    record Adopt(String volume, ObjectKey claim, boolean named) implements RemedyAction {
        @Override
        public String command() {
            return "mooring adopt pv/" + ShellWords.quoted(volume)
                    + (named ? " --claim " + ShellWords.quoted(claim.namespace() + "/" + claim.name()) : "");
        }
    }

    /**
     * Lets a volume wait, with its data, for a claim of the namespace and name that it was bound to.
     *
     * @param volume the volume's name
     */
    record Rebind(String volume) implements RemedyAction {
        @Override
        public String command() {
            return "mooring release pv/" + ShellWords.quoted(volume) + " --rebind";
        }
    }

    /**
     * Frees a volume, with its data, for any claim that fits.
     *
     * @param volume the volume's name
     */
    record Discard(String volume) implements RemedyAction {
        @Override
        public String command() {
            return "mooring release pv/" + ShellWords.quoted(volume) + " --discard";
        }
    }

    /**
     * Changes an object.
     *
     * @param kind its kind
     * @param object its key
     * @param merge a JSON merge patch (RFC 7396)
     */
    record Patch(Kind<?> kind, ObjectKey object, Document merge) implements RemedyAction {
        @Override
        public String command() {
            return "kubectl patch " + word(kind) + namespace(object) + " " + ShellWords.quoted(object.name())
                    + " --type merge -p " + ShellWords.inQuotes(merge.toString());
        }
    }

    /**
     * Deletes objects.
     *
     * @param kind their kind
     * @param objects their keys, all of one namespace; never empty
     */
    record Delete(Kind<?> kind, List<ObjectKey> objects) implements RemedyAction {
        /** Copies the list. */
        public Delete {
            objects = List.copyOf(objects);
        }

        @Override
        public String command() {
            return "kubectl delete " + word(kind) + namespace(objects.get(0)) + " "
                    + objects.stream().map(key -> ShellWords.quoted(key.name())).collect(Collectors.joining(" "));
        }
    }

    /**
     * Corrects an object by hand.
     *
     * @param kind its kind
     * @param object its key
     */
    record Edit(Kind<?> kind, ObjectKey object) implements RemedyAction {
        @Override
        public String command() {
            return "kubectl edit " + word(kind) + namespace(object) + " " + ShellWords.quoted(object.name());
        }
    }

    /**
     * Creates an object.
     *
     * @param template the object as far as it matters; people add the rest, such as a volume's source, and a name if it has none
     */
    record Create(KubernetesObject template) implements RemedyAction {
        @Override
        public String command() {
            return "";
        }
    }

    /**
     * Deletes an object and creates it again.
     *
     * @param template the object as it shall be, with its name
     */
    record Replace(KubernetesObject template) implements RemedyAction {
        @Override
        public String command() {
            return "";
        }
    }

    /**
     * Declares by a taint that a node is off and stays off, or takes that back.
     *
     * @param node the node's name
     * @param off whether it is off; else the taint is removed
     */
    record OutOfService(String node, boolean off) implements RemedyAction {
        @Override
        public String command() {
            return "kubectl taint node " + ShellWords.quoted(node) + " " + Node.OUT_OF_SERVICE
                    + (off ? "=nodeshutdown:NoExecute" : "-");
        }
    }

    /**
     * Creates a secret or configMap, whose content only people know.
     *
     * @param secret whether it is a secret
     * @param object its key
     */
    record MakeContent(boolean secret, ObjectKey object) implements RemedyAction {
        @Override
        public String command() {
            return "kubectl create " + (secret ? "secret generic" : "configmap") + namespace(object) + " "
                    + ShellWords.quoted(object.name()) + " --from-file=DIRECTORY";
        }
    }

    /**
     * Looks at something and changes nothing.
     *
     * @param command the command
     */
    record Look(String command) implements RemedyAction {}

    private static String word(Kind<?> kind) {
        if (kind.equals(Kinds.PERSISTENT_VOLUME)) {
            return "pv";
        }
        return kind.equals(Kinds.PERSISTENT_VOLUME_CLAIM) ? "pvc" : kind.name().toLowerCase(Locale.ROOT);
    }

    private static String namespace(ObjectKey object) {
        return object.namespace().isEmpty() ? "" : " -n " + ShellWords.quoted(object.namespace());
    }
}
