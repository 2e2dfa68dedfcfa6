// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.controller.story;

/** The kinds that users of a story write. */
enum StoryKind {
    VOLUME("pv", "/api/v1/persistentvolumes"),
    CLAIM("pvc", "/api/v1/namespaces/default/persistentvolumeclaims"),
    POD("pod", "/api/v1/namespaces/default/pods"),
    CLASS("sc", "/apis/storage.k8s.io/v1/storageclasses");

    private final String shortName;
    private final String collection;

    StoryKind(String shortName, String collection) {
        this.shortName = shortName;
        this.collection = collection;
    }

    String shortName() {
        return shortName;
    }

    String collection() {
        return collection;
    }
}
