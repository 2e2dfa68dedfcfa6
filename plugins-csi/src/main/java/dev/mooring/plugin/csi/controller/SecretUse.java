// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.csi.controller;

import java.util.Arrays;
import java.util.Optional;

/** For what a driver is given secrets (semantics/csi §8.4). */
enum SecretUse {
    /** To make and to destroy a volume. */
    PROVISIONER("provisioner", Optional.of("csiProvisioner"), Optional.empty()),
    /** To attach and to detach it. */
    CONTROLLER_PUBLISH(
            "controller-publish", Optional.of("csiControllerPublish"), Optional.of("controllerPublishSecretRef")),
    /** To stage it. */
    NODE_STAGE("node-stage", Optional.of("csiNodeStage"), Optional.of("nodeStageSecretRef")),
    /** To publish it. */
    NODE_PUBLISH("node-publish", Optional.of("csiNodePublish"), Optional.of("nodePublishSecretRef")),
    /** To grow it from outside the node. */
    CONTROLLER_EXPAND("controller-expand", Optional.empty(), Optional.of("controllerExpandSecretRef")),
    /** To grow it on the node. */
    NODE_EXPAND("node-expand", Optional.empty(), Optional.of("nodeExpandSecretRef")),
    /** To give it other attributes. */
    CONTROLLER_MODIFY("controller-modify", Optional.empty(), Optional.empty());

    private static final String PREFIX = "csi.storage.k8s.io/";
    private static final String DEFAULT = PREFIX + "secret-";

    private final String word;
    private final Optional<String> formerWord;
    private final Optional<String> sourceField;

    SecretUse(String word, Optional<String> formerWord, Optional<String> sourceField) {
        this.word = word;
        this.formerWord = formerWord;
        this.sourceField = sourceField;
    }

    /** The parameter of the class that names the secret. */
    String nameKey() {
        return PREFIX + word + "-secret-name";
    }

    /** The parameter of the class that names the secret's namespace. */
    String namespaceKey() {
        return PREFIX + word + "-secret-namespace";
    }

    /** The older parameter that names the secret. */
    Optional<String> formerNameKey() {
        return formerWord.map(former -> former + "SecretName");
    }

    /** The older parameter that names the secret's namespace. */
    Optional<String> formerNamespaceKey() {
        return formerWord.map(former -> former + "SecretNamespace");
    }

    /** The parameter that names the secret of every use that has none of its own. */
    static String defaultNameKey() {
        return DEFAULT + "name";
    }

    /** The parameter that names the namespace of that secret. */
    static String defaultNamespaceKey() {
        return DEFAULT + "namespace";
    }

    /** The field of a volume's source in which the reference is kept; empty if it is kept otherwise. */
    Optional<String> sourceField() {
        return sourceField;
    }

    /** Whether a parameter of a class is about secrets. */
    static boolean isParameter(String key) {
        return key.equals(defaultNameKey())
                || key.equals(defaultNamespaceKey())
                || Arrays.stream(values())
                        .anyMatch(use -> key.equals(use.nameKey())
                                || key.equals(use.namespaceKey())
                                || use.formerNameKey().filter(key::equals).isPresent()
                                || use.formerNamespaceKey().filter(key::equals).isPresent());
    }
}
