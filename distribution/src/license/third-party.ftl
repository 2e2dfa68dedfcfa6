<#-- SPDX-License-Identifier: Apache-2.0 -->
Mooring contains these libraries, each under the licence that its authors name.
Licences and notices that a jar brings lie in its META-INF directory. Bouncy Castle's jars come without their signatures, otherwise as they are.

<#list dependencyMap as e>
<#assign project = e.getKey()/>
${project.groupId}:${project.artifactId}:${project.version}
    <#list e.getValue() as licence>${licence}<#if licence_has_next> or </#if></#list>
<#if project.url??>    ${project.url}
</#if>
</#list>
