// SPDX-License-Identifier: Apache-2.0
package dev.mooring.junit;

import dev.mooring.simulation.world.CallFault;
import java.util.List;
import java.util.Optional;
import org.apiguardian.api.API;

/**
 * Calls to simulated storage: all of one operation, for the volumes of a class or of a driver, everywhere or on one node. Immutable.
 *
 * <pre>{@code
 * world.fail(storageClass("standard").publish().onNode("node-1"), once());
 * }</pre>
 *
 * @param storageClass the class of the volumes; empty if a driver is named
 * @param driver the plugin or CSI driver; empty if a class is named
 * @param operation in the words of a scenario
 * @param node the node; empty for any place
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
public record StorageCalls(
        Optional<String> storageClass, Optional<String> driver, String operation, Optional<String> node) {
    /** Checks the operation. */
    public StorageCalls {
        Vocabulary.require("operation", operation, CallFault.OPERATIONS);
    }

    /**
     * Calls for the volumes of a class.
     *
     * @param name the StorageClass
     */
    public static Operations storageClass(String name) {
        return new Operations(Optional.of(name), Optional.empty());
    }

    /**
     * Calls of a plugin or a CSI driver.
     *
     * @param name such as {@code kubernetes.io/nfs} or {@code disk.example.com}
     */
    public static Operations driver(String name) {
        return new Operations(Optional.empty(), Optional.of(name));
    }

    /** The same on one node. A controller's calls (provision, delete, attach, detach) are made for a node or for none. */
    public StorageCalls onNode(String name) {
        return new StorageCalls(storageClass, driver, operation, Optional.of(name));
    }

    /**
     * The operations of a class or a driver; each method answers with the calls of one. Immutable.
     *
     * @param storageClass the class; empty if a driver is named
     * @param driver the driver; empty if a class is named
     */
    @API(status = API.Status.EXPERIMENTAL, since = "0.1")
    public record Operations(Optional<String> storageClass, Optional<String> driver) {
        /**
         * The calls of an operation.
         *
         * @param word as in a scenario, see {@link #words}
         * @throws IllegalArgumentException if there is none of that name; the message lists the names
         */
        public StorageCalls operation(String word) {
            return new StorageCalls(storageClass, driver, word, Optional.empty());
        }

        /** The words for {@link #operation}. */
        public static List<String> words() {
            return CallFault.OPERATIONS;
        }

        /** Storage is made for a claim. */
        public StorageCalls provision() {
            return operation("provision");
        }

        /** Storage is deleted. */
        public StorageCalls delete() {
            return operation("delete");
        }

        /** A volume is attached to a node. */
        public StorageCalls attach() {
            return operation("attach");
        }

        /** A volume is detached from a node. */
        public StorageCalls detach() {
            return operation("detach");
        }

        /** A volume is mounted on a node, once for all pods. */
        public StorageCalls stage() {
            return operation("stage");
        }

        /** What {@link #stage} did is undone. */
        public StorageCalls unstage() {
            return operation("unstage");
        }

        /** A volume is shown to a pod. */
        public StorageCalls publish() {
            return operation("publish");
        }

        /** A volume is taken from a pod. */
        public StorageCalls unpublish() {
            return operation("unpublish");
        }

        /** Storage is made larger. */
        public StorageCalls expand() {
            return operation("expand");
        }
    }
}
