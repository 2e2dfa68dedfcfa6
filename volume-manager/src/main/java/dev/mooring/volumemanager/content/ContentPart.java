// SPDX-License-Identifier: Apache-2.0
package dev.mooring.volumemanager.content;

import dev.mooring.volumemanager.downward.ResourceField;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** One source of a volume's files. */
sealed interface ContentPart {
    /** Folds the part. */
    <R> R match(
            Function<? super Keys, ? extends R> onKeys,
            Function<? super Fields, ? extends R> onFields,
            Function<? super Token, ? extends R> onToken);

    /**
     * Which of an object's values stand where.
     *
     * @param key the key in the object
     * @param path the file
     * @param mode its permission bits
     */
    record Item(String key, String path, int mode) {}

    /**
     * How much of a resource a container asks for, in a file.
     *
     * @param field which resource of which container
     * @param path the file
     * @param mode its permission bits
     */
    record Resource(ResourceField field, String path, int mode) {}

    /**
     * The values of a ConfigMap or Secret.
     *
     * @param secret whether it is a Secret
     * @param name the object's name, in the pod's namespace
     * @param items which values; empty for all, each in a file called as its key
     * @param mode the permission bits of files without item
     * @param optional whether object and keys may be missing
     */
    record Keys(boolean secret, String name, List<Item> items, int mode, boolean optional) implements ContentPart {
        @Override
        public <R> R match(
                Function<? super Keys, ? extends R> onKeys,
                Function<? super Fields, ? extends R> onFields,
                Function<? super Token, ? extends R> onToken) {
            return onKeys.apply(this);
        }

        /** For people. */
        String title() {
            return (secret ? "secret" : "configmap") + " \"" + name + "\"";
        }
    }

    /**
     * Fields of the pod.
     *
     * @param items their {@code fieldPath}s as keys
     * @param resources what its containers ask for
     */
    record Fields(List<Item> items, List<Resource> resources) implements ContentPart {
        @Override
        public <R> R match(
                Function<? super Keys, ? extends R> onKeys,
                Function<? super Fields, ? extends R> onFields,
                Function<? super Token, ? extends R> onToken) {
            return onFields.apply(this);
        }
    }

    /**
     * A token of the pod's service account.
     *
     * @param audience which server it is for; absent for the API server
     * @param expirationSeconds how long it shall be good
     * @param path the file
     * @param mode its permission bits
     */
    record Token(Optional<String> audience, long expirationSeconds, String path, int mode) implements ContentPart {
        @Override
        public <R> R match(
                Function<? super Keys, ? extends R> onKeys,
                Function<? super Fields, ? extends R> onFields,
                Function<? super Token, ? extends R> onToken) {
            return onToken.apply(this);
        }
    }
}
